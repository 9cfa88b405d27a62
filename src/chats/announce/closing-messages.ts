import type { ReplyPayload } from '../message/reply-payload.ts'
import type { Outbox, OutboxUnder } from '../outbox/outbox.ts'

/** Shows the outcome of a question, an approval or a request on the message that asked for it. */
export type ClosingMessages = {
  canEdit(channel: string): boolean
  /**
   * Replaces the message. On a platform without editing, its last text is sent as a line of its own; a message that cannot be
   * changed any more, because a person deleted it, stays as it is. True when `under` was committed with it.
   */
  close(copy: { id: string; channel: string; address: string }, message: ReplyPayload, under?: OutboxUnder): Promise<boolean>
}

export const closingMessages = ({
  outbox,
  canEdit,
}: {
  outbox: Pick<Outbox, 'edit' | 'plan'>
  canEdit: (channel: string) => boolean
}): ClosingMessages => ({
  canEdit,
  async close({ id, channel, address }, message, under) {
    if (canEdit(channel)) {
      await outbox.edit(id, message, { orKeep: true }, under)
      return true
    }
    const text = lastText(message)
    if (text === '') return false
    const { isNew } = await outbox.plan({ channel, address, message: { text }, once: `closed:${id}:${text}` }, under)
    return isNew
  },
})

/** Closed messages end with their outcome. */
const lastText = ({ text = '', presentation }: ReplyPayload): string =>
  presentation?.blocks.findLast((block) => block.type === 'text' || block.type === 'context')?.text ?? text
