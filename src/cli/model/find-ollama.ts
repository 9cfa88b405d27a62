import type { FoundOllama } from '../../agents/model-check.ts'

/** Code that knows models is loaded when a model is looked for, not before. */
export async function findOllama(): Promise<FoundOllama | null> {
  const { discoverOllama } = await import('../../agents/model-check.ts')
  return discoverOllama()
}
