import { ParleyError } from '../../errors.ts'
import type { Caller } from '../../shapes/parley.ts'
import type { ConversationView, SeatView, TalkLimits, Worlds } from '../../shapes/worlds.ts'
import { formatIdentity } from '../rules/identity/public-identity.ts'
import { currentBrief, type SeatState } from '../rules/seat-state.ts'
import type { SeatCommand } from '../rules/decide-seat.ts'
import { seatStream } from '../rules/streams.ts'
import { recordConsent } from './consents.ts'
import { dialogFor, orRefuse, type OwnAccount } from './member-parts.ts'
import { renderTranscript } from './render-transcript.ts'
import type { NounParts } from './worlds-nouns.ts'

export function conversationNouns(nouns: NounParts): Worlds['conversations'] {
  const { parts, find, call } = nouns
  const view = async (account: OwnAccount, request: string): Promise<ConversationView> => {
    const { turns } = await call(account, 'conversations.turns', { request })
    const state = await parts.seats.known(seatStream(request, account.agent))
    return { request: await call(account, 'requests.get', { request }), turns, seat: state.seq === 0 ? null : toSeat(state) }
  }
  const change = async (name: string | undefined, request: string, command: SeatCommand): Promise<ConversationView> => {
    const account = find(name)
    const known = await parts.seats.known(seatStream(request, account.agent))
    if (known.seq === 0) throw new ParleyError('chat_request_not_found', { request })
    orRefuse(await parts.seats.handle(seatStream(request, account.agent), [{ ...command, at: parts.clock.now() }]))
    return view(account, request)
  }
  return {
    get: (name, request) => view(find(name), request),
    async limit(name, request, limits, caller) {
      const command = limitsCommand(limits, caller)
      return command ? change(name, request, command) : view(find(name), request)
    },
    takeOver: (name, request, caller: Caller) => change(name, request, { type: 'take-over', by: caller.by.name }),
    handBack: (name, request, caller: Caller) => change(name, request, { type: 'hand-back', by: caller.by.name }),
    async write(name, request, { text, end = false }, caller) {
      const consent = await recordConsent(parts, find(name).agent, { kind: 'own_turn', text, about: request }, caller)
      return change(name, request, { type: 'write-own-turn', text, consent, asksEnd: end })
    },
    async close(name, request) {
      const account = find(name)
      await call(account, 'conversations.close', { request, reason: 'owner_closed' })
      return view(account, request)
    },
    async export(name, request, { format, isFull = false }) {
      const account = find(name)
      const { turns } = await call(account, 'conversations.turns', { request })
      const { identity } = await call(account, 'account.view', {})
      const you = formatIdentity({ displayName: identity.displayName ?? account.name, agentCode: identity.agentCode })
      const told = await call(account, 'requests.get', { request })
      const text = renderTranscript({ you, request: told, turns, language: account.language, isFull }, format)
      return { text, fileName: `parley-${request}.${format === 'jsonl' ? 'jsonl' : 'md'}` }
    },
  }
}

/** Null where nothing is to change. */
export function limitsCommand(
  { reporting, ...limits }: TalkLimits,
  { by }: Caller,
): Extract<SeatCommand, { type: 'change-limits' }> | null {
  const given = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
  if (reporting === undefined && Object.keys(given).length === 0) return null
  return { type: 'change-limits', limits: given, ...(reporting && { reporting }), by: by.name }
}

const toSeat = (state: SeatState): SeatView => ({
  dialog: dialogFor(state.agent, state.peer.agentCode, state.world),
  isTakenOver: state.isTakenOver,
  isWriting: state.run !== null,
  question: state.question && { id: state.question.question, text: state.question.text },
  spent: state.spent,
  limits: state.limits,
  reporting: state.reporting,
  brief: currentBrief(state),
  report: state.report,
})
