import { useSyncExternalStore } from 'react'
import type { Language } from '../../../src/client/wire.ts'
import { storage } from './storage.ts'

export type Theme = 'system' | 'light' | 'dark'
export type Settings = { language: Language; theme: Theme; sendWith: 'enter' | 'ctrl-enter'; singleKeys: boolean }

const place = 'parley.settings'
const listeners = new Set<() => void>()
let settings = read()

function read(): Settings {
  const kept: Partial<Settings> = storage.get<Partial<Settings>>('local', place) ?? {}
  return {
    language: kept.language === 'en' || kept.language === 'zh' ? kept.language : guessLanguage(navigator.languages),
    theme: kept.theme === 'light' || kept.theme === 'dark' ? kept.theme : 'system',
    sendWith: kept.sendWith === 'ctrl-enter' ? 'ctrl-enter' : 'enter',
    singleKeys: kept.singleKeys !== false,
  }
}

function guessLanguage(languages: readonly string[]): Language {
  return /^zh\b/i.test(languages[0] ?? '') ? 'zh' : 'en'
}

/** What the stylesheet and assistive technology read from the root element. */
export function applySettings(): void {
  const root = document.documentElement
  root.lang = settings.language === 'zh' ? 'zh-CN' : 'en'
  if (settings.theme === 'system') delete root.dataset['theme']
  else root.dataset['theme'] = settings.theme
}

function adopt(next: Settings): void {
  settings = next
  applySettings()
  for (const listen of listeners) listen()
}

export function changeSettings(change: Partial<Settings>): void {
  adopt({ ...settings, ...change })
  storage.set('local', place, settings)
}

// Another tab chose something: this one follows.
addEventListener('storage', (event) => {
  if (event.key === place) adopt(read())
})

export const useSettings = (): Settings =>
  useSyncExternalStore(
    (listen) => {
      listeners.add(listen)
      return () => void listeners.delete(listen)
    },
    () => settings,
  )
