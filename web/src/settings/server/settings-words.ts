import { createContext, useContext } from 'react'
import type { SettingsView } from '../../../../src/shapes/settings.ts'
import type { PageSettingsWords } from '../../../../src/words/en/page-settings.ts'
import { pageSettingsWords } from '../../../../src/words/page-parts.ts'
import { LanguageContext } from '../../words/use-words.ts'

export const useSettingsWords = (): PageSettingsWords => pageSettingsWords[useContext(LanguageContext)]

export type Change = { path: string[]; value: Json }
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type Entry = { readonly [key: string]: unknown }

export type Editing = {
  view: SettingsView
  /** Shows what the changes do to the file, and writes them when the reader says so. */
  review(changes: readonly Change[]): void
  /** Stores a secret and gives back the new view; null when it was refused. */
  keepSecret(name: string, value: string): Promise<boolean>
}

export const EditingContext = createContext<Editing | null>(null)

export function useEditing(): Editing {
  const editing = useContext(EditingContext)
  if (!editing) throw new Error('Settings are shown outside of their page.')
  return editing
}

export const isEntry = (value: unknown): value is Entry => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Entries under a section such as `models`; those that are no mapping are left out. */
export const entriesIn = (values: unknown): [string, Entry][] =>
  isEntry(values) ? Object.entries(values).filter((pair): pair is [string, Entry] => isEntry(pair[1])) : []

export const textIn = (entry: Entry, key: string): string => {
  const value = entry[key]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

export const listIn = (entry: Entry, key: string): string[] => {
  const value = entry[key]
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
}

export const isName = (name: string): boolean => /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name)

/** The name of a stored secret that the entry names, such as `OPENAI_API_KEY`. */
export const variableIn = (entry: Entry, key: string): string => /^\$\{([A-Z_][A-Z0-9_]*)\}$/.exec(textIn(entry, key))?.[1] ?? ''

export const toVariable = (...parts: string[]): string =>
  parts
    .join('_')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replace(/^[^A-Z]+/, 'KEY_')
    .slice(0, 99)

/** Only what differs from the entry; an empty text takes the setting out. */
export function listChanges(path: string[], before: Entry, after: Readonly<Record<string, Json>>): Change[] {
  return Object.entries(after).flatMap(([key, value]) => {
    const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0)
    const next = isEmpty ? null : value
    const old = before[key] === undefined ? null : before[key]
    return JSON.stringify(old) === JSON.stringify(next) ? [] : [{ path: [...path, key], value: next }]
  })
}

/** A new entry without its empty fields. */
export const toEntry = (fields: Readonly<Record<string, Json>>): Json =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)),
  )
