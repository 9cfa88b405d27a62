import { worldOwnerTexts } from '../../words/index.ts'
import type { DialogCommand } from '../../dialogs/rules/decide-dialog.ts'
import type { Work } from '../../streams/pump.ts'
import { textForPeople } from '../rules/boundary/conversation-tokens.ts'
import { formatIdentity } from '../rules/identity/public-identity.ts'
import { areTurnsSpent, isStubDue, nextRun, spentShare } from '../rules/seat-needs.ts'
import type { SeatState } from '../rules/seat-state.ts'
import { ledgerStream, reportStream, seatStream } from '../rules/streams.ts'
import { worldLimits } from '../rules/world-limits.ts'
import { dialogFor, type MemberParts, orRefuse, type OwnAccount } from './member-parts.ts'
import { type ChannelRow, memberViews, readSeatKey } from './member-rows.ts'
import { alertOwner, isAlertQuestion, settleAlert } from './owner-alerts.ts'
import { closeSpent } from './close-spent.ts'
import { finishRun, reserveRun } from './run-agent.ts'
import { sendResult } from './send-result.ts'

export const seatWorkLimits = { concurrentSeats: 64, steps: 40, stubLines: 6, stubLineChars: 200 } as const

/**
 * Does what is due for one seat, one step after the other, each stored before the next.
 *
 * | the seat                                   | what happens                                             |
 * |--------------------------------------------|----------------------------------------------------------|
 * | has a run under way                        | the dialog of its agent is told once, and waited for     |
 * | has a result                               | the host gets it; then it is confirmed                   |
 * | asks its owner                             | a question in inbox and chat apps                        |
 * | has an alert                               | the same, with what the owner can do                     |
 * | has an answer and no delivery              | the host is told that this side goes on                  |
 * | has used the turns that its owner allows   | the conversation is closed                               |
 * | a run is due                               | it is reserved                                           |
 * | is over without a report, and none will come | the runtime composes one                               |
 */
export async function runSeat(parts: MemberParts, { lease, signal }: Work): Promise<void> {
  const { request, agent } = readSeatKey(lease.key)
  const account = parts.account(agent)
  const settle = (how: 'done' | { retryAt: number; forgive: true }): Promise<unknown> => parts.committer.commit({ lease, settle: how })
  if (!account) return void (await settle('done'))
  for (let step = 0; step < seatWorkLimits.steps; step += 1) {
    if (signal.aborted) break
    const state = await parts.seats.load(seatStream(request, agent))
    const did = await doStep(parts, account, state, signal)
    if (did === 'nothing') return void (await settle('done'))
    if (did === 'stopped') break
  }
  if (signal.reason !== 'lost') await settle({ retryAt: parts.clock.now(), forgive: true })
}

async function doStep(
  parts: MemberParts,
  account: OwnAccount,
  state: SeatState,
  signal: AbortSignal,
): Promise<'did' | 'nothing' | 'stopped'> {
  const { request, agent } = state
  if (state.run) return (await finishRun(parts, account, state, signal)) ? 'did' : 'stopped'
  if (state.outgoing) {
    await sendResult(parts, account, state)
    return 'did'
  }
  const share = state.end ? null : spentShare(state)
  if (share) await parts.host.call(agent, 'conversations.notice-budget', { request, why: share })
  if (state.question) await askOwner(parts, state)
  if (state.alert) await alertOwner(parts, state)
  if (state.end) await withdrawQuestions(parts, state)
  if (state.answer && !state.delivery && !state.end) await parts.host.call(agent, 'conversations.resume', { request })
  if (areTurnsSpent(state) && (await closeSpent(parts, account, state, 'turns_spent'))) return 'did'
  const purpose = nextRun(state)
  if (purpose) {
    await reserveRun(parts, account, state, purpose)
    return 'did'
  }
  if (isStubDue(state)) {
    await composeReport(parts, state)
    return 'did'
  }
  return 'nothing'
}

/** The question is one of the dialog of the channel agent, for the owner alone. */
async function askOwner(parts: MemberParts, state: SeatState): Promise<void> {
  const { question } = state
  if (!question) return
  const at = parts.clock.now()
  const text = `${formatIdentity(state.peer)}: ${question.text}`
  const asked = {
    question: question.question,
    call: null,
    ask: { text, items: [{ id: 'answer', text: '', kind: 'text' as const }] },
    expiresAt: at + worldLimits.ownerAnswerMs,
    purpose: 'peer' as const,
  }
  const dialog = dialogFor(state.agent, state.peer.agentCode, state.world)
  orRefuse(
    await parts.dialogs.handle(dialog, (now) =>
      now.questions[asked.question] || now.closed[asked.question] ? [] : [{ type: 'ask-question', at, asked }],
    ),
  )
}

/** Withdraws the question to the owner when its conversation is over. */
async function withdrawQuestions(parts: MemberParts, state: SeatState): Promise<void> {
  const dialog = dialogFor(state.agent, state.peer.agentCode, state.world)
  const row = await parts.store.row(memberViews.channel, dialog)
  if (!row || (row.body as ChannelRow).request !== state.request) return
  const at = parts.clock.now()
  await parts.dialogs.handle(dialog, (now) =>
    Object.values(now.questions).flatMap(({ question, purpose }): DialogCommand[] =>
      purpose === 'peer' && !isAlertQuestion(question)
        ? [{ type: 'cancel-question', at, question, by: { kind: 'agent', name: 'parley' } }]
        : [],
    ),
  )
}

/** From the transcript alone: the runtime adds no judgement. */
async function composeReport(parts: MemberParts, state: SeatState): Promise<void> {
  const { request, agent, end, peer, language, side } = state
  const texts = worldOwnerTexts[language]
  const got = await parts.host.call(agent, 'conversations.turns', { request })
  const turns = got.ok ? got.value.turns.slice(-seatWorkLimits.stubLines) : []
  const lines = turns.map((turn) => {
    const turnText = textForPeople(turn.text).text.replace(/\s+/g, ' ')
    const short =
      turnText.length > seatWorkLimits.stubLineChars ? `${turnText.slice(0, seatWorkLimits.stubLineChars).toWellFormed()}…` : turnText
    return texts.stubLine(turn.turn, turn.side === side ? texts.you : formatIdentity(peer), short)
  })
  const text = texts.stub(formatIdentity(peer), end?.turns ?? 0, lines)
  const at = parts.clock.now()
  orRefuse(
    await parts.reports.handle(reportStream(request, agent), [
      { type: 'file-report', at, request, agent, text, source: 'runtime', announce: 'default' },
    ]),
  )
  orRefuse(await parts.seats.handle(seatStream(request, agent), [{ type: 'settle-report', at, source: 'runtime' }]))
}

/** An owner has answered or declined a question of a channel agent, or its time ran out. */
export async function takeAnswer(parts: MemberParts, { lease }: Work): Promise<void> {
  const [dialog = '', question = ''] = lease.key.split('/')
  const row = await parts.store.row(memberViews.channel, dialog)
  const closed = (await parts.dialogs.load(dialog)).closed[question]
  if (row && closed) {
    const { request, agent } = row.body as ChannelRow
    const stream = seatStream(request, agent)
    const { end } = closed
    if (isAlertQuestion(question)) await settleAlert(parts, await parts.seats.load(stream), question, end)
    const answer =
      end.outcome === 'answered' ? (end.answers?.['answer'] ?? '').trim().slice(0, worldLimits.turnChars).toWellFormed() || null : null
    const at = parts.clock.now()
    const consent = answer === null ? null : `cns_${question.slice(2)}`
    if ((await parts.seats.load(stream)).question?.question === question) {
      if (answer !== null && consent !== null) {
        const by = { id: `${end.via ?? 'unknown'}:${end.by ?? ''}`, name: end.by ?? '', role: 'owner' as const }
        const entry = { consent, kind: 'owner_answer' as const, text: answer, about: request, by, surface: end.via ?? 'unknown' }
        orRefuse(await parts.ledgers.handle(ledgerStream(agent), [{ type: 'record-consent', at, ...entry }]))
      }
      orRefuse(await parts.seats.handle(stream, [{ type: 'answer-owner', at, question, answer, consent }]))
    }
  }
  await parts.committer.commit({ lease, settle: 'done' })
}
