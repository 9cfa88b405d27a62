import type { MemoryWords } from './memory/memory.ts'

/** Texts for a model, in the language of the dialog or of the agent. */
export type AgentTexts = {
  memories: MemoryWords
  taskdoc: { title: string; bearInMind: string; moreSections: string; cut(bytes: number): string }
  outputLimit: string
  noSandbox: string
  blockedHosts(hosts: readonly string[]): string
}
