import { useSyncExternalStore } from 'react'
import { isLanguage, languages, readLanguage, type Language } from '../../../src/shapes/language.ts'
import { loadPageWords } from '../../../src/words/index.ts'
import { storage } from './storage.ts'

export type Theme = 'system' | 'light' | 'dark'
export type Settings = {
  language: Language
  theme: Theme
  sendWith: 'enter' | 'ctrl-enter'
  singleKeys: boolean
  panel: boolean
  taskdoc: boolean
}

const place = 'parley.settings'
const listeners = new Set<() => void>()
let settings = read()

function read(): Settings {
  const storedIds: Partial<Settings> = storage.get<Partial<Settings>>('local', place) ?? {}
  return {
    language: isLanguage(storedIds.language) ? storedIds.language : readLanguage(navigator.languages[0]),
    theme: storedIds.theme === 'light' || storedIds.theme === 'dark' ? storedIds.theme : 'system',
    sendWith: storedIds.sendWith === 'ctrl-enter' ? 'ctrl-enter' : 'enter',
    singleKeys: storedIds.singleKeys !== false,
    panel: storedIds.panel !== false,
    taskdoc: storedIds.taskdoc !== false,
  }
}

/** Before the first drawing, so that no other language is seen. English when the language cannot be loaded. */
export const loadLanguage = (): Promise<void> => loadPageWords(settings.language).catch(() => {})

/** Attributes of the root element for the stylesheet and assistive technology. */
export function applySettings(): void {
  const root = document.documentElement
  root.lang = languages[settings.language].htmlLang
  if (settings.theme === 'system') delete root.dataset['theme']
  else root.dataset['theme'] = settings.theme
}

function adopt(next: Settings): void {
  settings = next
  applySettings()
  for (const listen of listeners) listen()
}

export function changeSettings({ language = settings.language, ...change }: Partial<Settings>): void {
  adopt({ ...settings, ...change })
  storage.set('local', place, { ...settings, language })
  void adoptLanguage(language)
}

/** The old language stays until the new one is loaded. */
async function adoptLanguage(language: Language): Promise<void> {
  if (language === settings.language) return
  await loadPageWords(language)
  adopt({ ...settings, language })
}

// Another tab chose something: this one follows.
addEventListener('storage', (event) => {
  if (event.key !== place) return
  const { language, ...others } = read()
  adopt({ ...others, language: settings.language })
  void adoptLanguage(language)
})

export const useSettings = (): Settings =>
  useSyncExternalStore(
    (listen) => {
      listeners.add(listen)
      return () => void listeners.delete(listen)
    },
    () => settings,
  )
