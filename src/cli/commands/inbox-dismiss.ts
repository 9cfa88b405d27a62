import type { CommandFunction } from '../command-row.ts'
import type { ParleyClient } from '../../client/index.ts'
import type { InboxItem } from '../../shapes/wire.ts'
import { ParleyError } from '../../errors.ts'
import { isApproval } from '../approval-words.ts'
import { withServer } from '../connect.ts'
import { UsageError } from '../fault.ts'
import { unclaimedName } from '../inbox-words.ts'
import { oneLine } from '../plain-text.ts'

export const run: CommandFunction = async (terminal, given) => {
  const id = given.arg(0)
  await withServer(terminal, ({ client }) => dismiss(client, id))
  terminal.result({ dismissed: id }, () => terminal.words.messages.isDismissed)
}

async function dismiss(client: ParleyClient, id: string): Promise<void> {
  const { items } = await client.inbox()
  const matches = items.filter((item) => isCalled(item, id))
  const [item] = matches
  if (matches.length > 1)
    throw new UsageError(
      `Several items have the id ${oneLine(id)}.`,
      `Name one: ${matches.map((one) => `parley inbox dismiss ${getName(one)}`).join(', ')}`,
    )
  if (item?.kind === 'delivery') return void (await client.deliveries.dismiss(item.delivery.id))
  if (item?.kind === 'unclaimed') return client.dismissUnclaimed(item.unclaimed)
  if (item?.kind === 'question' && isApproval(item.question))
    throw new UsageError('An approval is not dismissed: its agent waits for it.', `Deny it: parley deny ${id}`)
  if (item?.kind === 'question')
    throw new UsageError('A question is not dismissed: its dialog waits for it.', `Decline it: parley answer ${id} --decline`)
  if (item?.kind === 'failure')
    throw new UsageError('A failure is not dismissed: it is retried or given up.', `Give it up: parley dialogs give-up ${id}`)
  if (item?.kind === 'build')
    throw new UsageError(
      'A build is not dismissed: it waits for an answer.',
      `Answer it: parley builds answer ${id}, or stop it: parley builds cancel ${id}`,
    )
  if (item?.kind === 'chat-request')
    throw new UsageError('A chat request is not dismissed: its sender waits.', `Decline it: parley requests decline ${id}`)
  throw new ParleyError('unclaimed_not_found', { id })
}

const isCalled = (item: InboxItem, id: string): boolean => getName(item) === id || (item.kind === 'unclaimed' && item.unclaimed.id === id)

function getName(item: InboxItem): string | null {
  switch (item.kind) {
    case 'question':
      return item.question.id
    case 'failure':
      return item.failure.dialog
    case 'build':
      return item.build.build_id
    case 'delivery':
      return item.delivery.id
    case 'unclaimed':
      return unclaimedName(item.unclaimed)
    case 'chat-request':
      return item.request.request
    case 'pairing':
      return null
  }
}
