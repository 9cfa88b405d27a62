import type { Cursor } from '../ports/channel-kind.ts'
import type { Store } from '../ports/store.ts'

export const cursorLimits = { chars: 65_536 } as const

const cursorView = 'channel-cursor'

/** The position of an account in the events of its platform, as a row of the store. */
export function accountCursor(store: Pick<Store, 'row' | 'commit'>, account: string): Cursor {
  return {
    async read() {
      const { cursor } = ((await store.row(cursorView, account))?.body ?? {}) as { cursor?: unknown }
      return typeof cursor === 'string' ? cursor : null
    },
    async write(text) {
      if (text.length > cursorLimits.chars) throw new Error(`a cursor of ${text.length} characters is longer than ${cursorLimits.chars}`)
      // An older cursor repeats events that are known already, so it need not survive a power cut.
      await store.commit([
        { rows: [{ view: cursorView, key: account, group: '', sort: 0, text: '', body: { cursor: text } }], repeatable: true },
      ])
    },
  }
}
