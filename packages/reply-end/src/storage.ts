import type { ConversationControls } from './control-record.ts'

export type Stored = { controls: ConversationControls; rev: number }

/** Storage of the controls. `put` succeeds only if the revision is still `expected` (0: not stored yet). */
export type EndStorage = {
  get(conversation: string): Promise<Stored | null>
  put(controls: ConversationControls, expected: number): Promise<boolean>
  /** All conversations, for what was left undone and what has expired. */
  conversations(): Promise<string[]>
}

/** Keeps nothing beyond the process. */
export function memoryEndStorage(): EndStorage {
  const entries = new Map<string, Stored>()
  return {
    get: async (conversation) => entries.get(conversation) ?? null,
    async put(controls, expected) {
      if ((entries.get(controls.conversation)?.rev ?? 0) !== expected) return false
      entries.set(controls.conversation, { controls, rev: expected + 1 })
      return true
    },
    conversations: async () => [...entries.keys()],
  }
}
