import { ClientError, type ParleyClient } from '../../client/index.ts'
import type { PairingState } from '../../shapes/wire.ts'
import { age } from '../age.ts'
import { columns } from '../columns.ts'
import { withServer } from '../connect.ts'
import { describeWhere } from '../delivery-words.ts'
import type { Given } from '../given.ts'
import { pairingLines } from '../inbox-words.ts'
import type { Terminal } from '../terminal.ts'
import { type ListedRequest, chatRequestLines, requestTable } from '../world-words.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const { words, paint } = terminal
  const stateFilter = given.text('state') as PairingState | undefined
  const state = given.on('all') ? undefined : (stateFilter ?? 'requested')
  const { items, chats } = await withServer(terminal, async ({ client }) => ({
    items: await client.pairings.list(state),
    chats: stateFilter === undefined ? await listChats(client, given.on('all')) : [],
  }))
  terminal.result({ items, chats }, () => [
    ...(state === 'requested'
      ? [...items.map((one) => pairingLines(one, words, paint)), ...chats.map((one) => chatRequestLines(one, words, paint))].flatMap(
          (lines, at) => [...(at > 0 ? [''] : []), ...lines],
        )
      : columns(
          items.map((one) => [
            { text: describeWhere(one), paint: paint.bold },
            words.messages.pairingStates[one.state],
            one.pairing ? age(one.pairing.requestedAt, words) : '',
            one.pairing?.from.name ?? one.dialog ?? '',
          ]),
          terminal.width,
        )),
    ...(state === 'requested' ? [] : requestTable(chats, terminal)),
  ])
  if (items.length === 0 && chats.length === 0 && !terminal.json)
    terminal.say(state === 'requested' || given.on('all') ? words.messages.noRequests : words.messages.noRequestsFit)
}

/** Chat requests of all own agents. A caller without the capability, and a server without worlds, has none. */
async function listChats(client: ParleyClient, all: boolean): Promise<ListedRequest[]> {
  try {
    const accounts = await client.account.list()
    const filter = all ? {} : ({ status: 'pending', direction: 'inbound' } as const)
    const pages = await Promise.all(accounts.map(({ name }) => client.chatRequests.list({ account: name, ...filter })))
    return pages.flatMap(({ items }, at) => items.map((one) => ({ ...one, account: accounts[at]?.name ?? '' })))
  } catch (error) {
    if (error instanceof ClientError && (error.code === 'worlds_off' || error.status === 403)) return []
    throw error
  }
}
