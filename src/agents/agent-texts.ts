import type { Language } from '../shapes/language.ts'
import type { MemoryWords } from './memory/memory.ts'

/** Texts for a model, in the language of the dialog or of the agent. */
export type AgentTexts = {
  prompt: {
    teammates: string
    calls: string
    dropped: string
    reminders: string
    /** `own` is the member's set language; without it, the human's counts. */
    language(own: Language | undefined): string
    noTools: string
  }
  memories: MemoryWords
  taskdoc: { title: string; bearInMind: string; moreSections: string; cut(bytes: number): string }
  outputLimit: string
  noSandbox: string
  blockedHosts(hosts: readonly string[]): string
}
