import type { ConversationControls } from './control-record.ts'

export type Stored = { controls: ConversationControls; rev: number }

/** Where the controls are kept. `put` succeeds only if nobody changed them since `expected` (0: not there yet). */
export type EndStorage = {
  get(conversation: string): Promise<Stored | null>
  put(controls: ConversationControls, expected: number): Promise<boolean>
  /** All conversations, for what was left undone and what has expired. */
  conversations(): Promise<string[]>
}

/** Keeps nothing beyond the process. */
export function memoryEndStorage(): EndStorage {
  const kept = new Map<string, Stored>()
  return {
    get: async (conversation) => kept.get(conversation) ?? null,
    async put(controls, expected) {
      if ((kept.get(controls.conversation)?.rev ?? 0) !== expected) return false
      kept.set(controls.conversation, { controls, rev: expected + 1 })
      return true
    },
    conversations: async () => [...kept.keys()],
  }
}
