import type { ClosedQuestion } from '../../dialogs/rules/dialog-state.ts'
import { worldOwnerTexts } from '../../words/index.ts'
import { formatIdentity } from '../rules/identity/public-identity.ts'
import type { AlertChoice } from '../rules/owner-texts.ts'
import type { SeatState } from '../rules/seat-state.ts'
import { seatStream } from '../rules/streams.ts'
import { worldLimits } from '../rules/world-limits.ts'
import { dialogFor, type MemberParts, orRefuse, sha256 } from './member-parts.ts'

const prefix = 'q_alert_'

export const isAlertQuestion = (question: string): boolean => question.startsWith(prefix)

const alertQuestion = ({ request, agent, alert }: SeatState): string =>
  `${prefix}${sha256(`${request} ${agent} ${alert?.alert ?? 0}`).slice(0, 20)}`

/**
 * Tells the owner that a message did not leave, as a question of the channel agent's dialog: so it is in the inbox and the chat
 * apps, and stays there after the conversation has ended. The words that were withheld are not in it.
 */
export async function alertOwner(parts: MemberParts, state: SeatState): Promise<void> {
  const { alert, peer, language } = state
  if (!alert) return
  const at = parts.clock.now()
  const texts = worldOwnerTexts[language]
  const leaks = [...new Set(alert.leaks)].map((kind) => texts.leaks[kind])
  const options = (Object.keys(texts.alertChoices) as AlertChoice[]).map((value) => ({ value, label: texts.alertChoices[value] }))
  const asked = {
    question: alertQuestion(state),
    call: null,
    ask: {
      text: texts.alert(alert.why, formatIdentity(peer), leaks),
      items: [{ id: 'answer', text: '', kind: 'choice' as const, options }],
    },
    expiresAt: at + worldLimits.ownerAnswerMs,
    purpose: 'peer' as const,
  }
  const dialog = dialogFor(state.agent, peer.agentCode, state.world)
  orRefuse(
    await parts.dialogs.handle(dialog, (now) =>
      // Without a run there is no dialog yet: the report tells it then.
      now.seq === 0 || now.questions[asked.question] || now.closed[asked.question] ? [] : [{ type: 'ask-question', at, asked }],
    ),
  )
}

/** Does what the owner chose. A conversation that is over meanwhile needs nothing. */
export async function settleAlert(parts: MemberParts, state: SeatState, question: string, end: ClosedQuestion): Promise<void> {
  const { alert, request, agent } = state
  if (!alert || alertQuestion(state) !== question) return
  const stream = seatStream(request, agent)
  const at = parts.clock.now()
  const choice = end.outcome === 'answered' ? end.answers?.['answer'] : undefined
  if (!state.end && choice === ('take_over' satisfies AlertChoice))
    await parts.seats.handle(stream, [{ type: 'take-over', at, by: end.by ?? '' }])
  if (!state.end && choice === ('close' satisfies AlertChoice))
    await parts.host.call(agent, 'conversations.close', { request, reason: 'owner_closed' })
  orRefuse(await parts.seats.handle(stream, [{ type: 'settle-alert', at, alert: alert.alert }]))
}
