import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'
import { worldOwnerTexts } from '../../words/index.ts'
import type { EndReason } from '../../worlds/rules/conversation-events.ts'
import { oneLine } from '../plain-text.ts'
import { describeIdentity } from '../world-words.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const { words, paint } = terminal
  const talk = await withServer(terminal, ({ client }) => client.conversations.get(given.arg(0), { account: given.text('account') }))
  const { request, turns, seat } = talk
  const state = request.chat ? words.worlds.chat[request.chat] : words.worlds.status[request.status]
  terminal.result(talk, () => [
    `${paint.bold(describeIdentity(request.counterparty))}  ${state} · ${words.worlds.next[request.nextAction] ?? request.nextAction}`,
    ...turns.map(
      ({ turn, side, text }) =>
        `${turn}. ${side === request.side ? words.worlds.you : describeIdentity(request.counterparty)}${words.colon}${oneLine(text)}`,
    ),
    ...(seat?.question ? [words.worlds.asks(oneLine(seat.question.text)), `  parley answer ${seat.question.id} "…"`] : []),
    ...(request.end
      ? [words.worlds.ended(worldOwnerTexts[terminal.language].ends[request.end.reason as EndReason] ?? request.end.reason)]
      : []),
  ])
}
