import type { AddressRules } from '../../ports/channel.ts'
import type { Store, ViewRow } from '../../ports/store.ts'
import { deliveryViews } from './delivery-rows.ts'
import type { DeliveryState } from './delivery-state.ts'

/** The delivery and part that a platform message shows. */
export type IndexedMessage = { delivery: string; part: number; channel: string; address: string }

/** Messages of one chat have different ids; those of different chats may not. */
export const messageRow = ({ delivery, channel, address }: DeliveryState, part: number, messageId: string, at: number): ViewRow => {
  const body: IndexedMessage = { delivery, part, channel, address }
  return {
    view: deliveryViews.messages,
    key: `${channel}/${address}/${messageId}`,
    group: `${channel}/${messageId}`,
    sort: at,
    text: '',
    body,
  }
}

/** Chats of one account in which messages have the same id; on most platforms ids are unique. */
const sameIds = 200

/** Finds a sent message by the platform's id, in the chat or any thread of it. */
export async function findMessage(
  store: Pick<Store, 'row' | 'rows'>,
  { channel, chat, messageId }: { channel: string; chat: string; messageId: string },
  { parent }: Pick<AddressRules, 'parent'>,
): Promise<IndexedMessage | null> {
  const exact = await store.row(deliveryViews.messages, `${channel}/${chat}/${messageId}`)
  if (exact) return exact.body as IndexedMessage
  const rows = await store.rows({ view: deliveryViews.messages, group: `${channel}/${messageId}`, limit: sameIds })
  return rows.map(({ body }) => body as IndexedMessage).find(({ address }) => (parent(address) ?? address) === chat) ?? null
}
