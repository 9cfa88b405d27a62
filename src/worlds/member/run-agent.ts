import { calendarDay } from '../../dialogs/rules/budget-scopes.ts'
import type { DialogCommand } from '../../dialogs/rules/decide-dialog.ts'
import type { DialogEvent } from '../../dialogs/rules/dialog-events.ts'
import { type DialogState, isDue } from '../../dialogs/rules/dialog-state.ts'
import { channelName } from '../../dialogs/rules/peer-dialog.ts'
import { worldOwnerTexts } from '../../words/index.ts'
import type { RunTools } from '../rules/decide-run.ts'
import { formatIdentity } from '../rules/identity/public-identity.ts'
import type { RunPurpose, Spending } from '../rules/seat-events.ts'
import type { SeatState } from '../rules/seat-state.ts'
import { ledgerStream, reportStream, seatStream } from '../rules/streams.ts'
import { noReply } from '../rules/boundary/agent-output.ts'
import { worldLimits } from '../rules/world-limits.ts'
import { askInput, channelTool, reportInput } from './channel-tools.ts'
import { canaryFor, renderRun } from './channel-agents.ts'
import { closeSpent } from './close-spent.ts'
import { dialogFor, type MemberParts, orRefuse, type OwnAccount, sha256 } from './member-parts.ts'
import { channelRow } from './member-rows.ts'

export const runLimits = { runTokens: 24_000, backstopMs: 2_000 } as const

/** `via` of what is written into the dialog of a channel agent, and by which a report reaches the main agent. */
export const worldsVia = 'worlds'

/** Reserves the run that is due: in the ledger of the owner first, then in the seat. Nothing is called before both are stored. */
export async function reserveRun(parts: MemberParts, account: OwnAccount, state: SeatState, purpose: RunPurpose): Promise<void> {
  const { seats, ledgers, clock } = parts
  const stream = seatStream(state.request, state.agent)
  const run = `${state.request}.${state.side}.r${state.runs + 1}`
  const at = clock.now()
  const canary = canaryFor(state.canary, run)
  const remaining = { tokens: state.limits.tokens - state.spent.tokens, money: state.limits.money - state.spent.money }
  const tokens = Math.max(0, Math.min(runLimits.runTokens, remaining.tokens))
  const spending = parts.team.agent(account.name)?.spending
  const outputTokens = Math.min(spending?.maxOutputTokens ?? tokens, tokens)
  const worst = spending?.worstCost?.({ inputTokens: tokens - outputTokens, outputTokens }) ?? 0
  const money = Math.max(0, Math.min(worst, remaining.money))
  const reserved = await ledgers.handle(ledgerStream(state.agent), [
    {
      type: 'reserve-spending',
      at,
      run,
      day: calendarDay(at, parts.timeZone),
      tokens,
      money,
      ...(state.world !== null && { world: state.world }),
    },
  ])
  const isSpent = tokens === 0 || (worst > 0 && money === 0)
  if (reserved.ok && !isSpent)
    return orRefuse(await seats.handle(stream, [{ type: 'reserve-run', at, run, purpose, tokens, money, canary }]))
  const code = !reserved.ok && reserved.why === 'refused' ? reserved.refusal.code : 'talk_budget_spent'
  if (code !== 'talk_budget_spent' && code !== 'talks_stopped') return orRefuse(reserved)
  if (reserved.ok) await ledgers.handle(ledgerStream(state.agent), [{ type: 'settle-spending', at, run, tokens: 0, money: 0 }])
  // A report that cannot be asked for counts as asked, so that the runtime composes it.
  if (purpose === 'report')
    return orRefuse(
      await seats.handle(stream, [
        { type: 'reserve-run', at, run, purpose, tokens: 0, money: 0, canary },
        { type: 'fail-run', at, run, why: 'failure', spent: { tokens: 0, money: 0 } },
      ]),
    )
  // An opener that cannot be paid is a failed kickoff; in the middle of a conversation the limit closes it.
  if (isSpent && reserved.ok && purpose !== 'kickoff' && (await closeSpent(parts, account, state, 'budget_spent'))) return
  orRefuse(await seats.handle(stream, [{ type: 'give-up-run', at, why: code === 'talks_stopped' ? 'stopped' : 'budget' }]))
}

/**
 * Hands the reserved run to the dialog of the channel agent, once. Returns the number of the first event of it. A dialog that a
 * person has stopped gets nothing, because a message would be answered all the same: only a person lifts a stop.
 */
async function beginRun(parts: MemberParts, account: OwnAccount, state: SeatState, dialog: string, run: string): Promise<number> {
  const at = parts.clock.now()
  const { data } = renderRun(state)
  const by = { kind: 'human' as const, name: formatIdentity(state.peer), id: `peer:${state.peer.agentCode}`, role: 'peer' as const }
  const text = data ?? worldOwnerTexts[state.language].noPeerText
  const message = `msg_${sha256(run).slice(0, 24)}`
  const say: DialogCommand = { type: 'say', at, message, text, by, via: worldsVia }
  const commands = (now: DialogState): DialogCommand[] => {
    if (now.latch) return []
    const title = formatIdentity(state.peer)
    if (now.seq === 0) return [{ type: 'open-dialog', at, agent: channelName(account.name), by, language: state.language, title }, say]
    return now.rest !== 'ready' && !isDue(now) ? [{ type: 'continue-dialog', at, by, via: worldsVia }, say] : [say]
  }
  const result = await parts.dialogs.handle(dialog, commands, {
    once: { key: `world-run:${dialog}:${run}`, value: (first) => first },
    rows: [channelRow(dialog, { request: state.request, agent: state.agent })],
  })
  if (result.ok) return (result.before.seq ?? 0) + 1
  if (result.why === 'seen') return Number(result.value)
  orRefuse(result)
  return 0
}

/** Waits for the run under way and stores what came of it. False when the process is to stop before that. */
export async function finishRun(parts: MemberParts, account: OwnAccount, state: SeatState, signal: AbortSignal): Promise<boolean> {
  const run = state.run?.run
  if (run === undefined) return true
  const dialog = dialogFor(state.agent, state.peer.agentCode, state.world)
  const first = await beginRun(parts, account, state, dialog, run)
  const rest = await untilRest(parts, dialog, signal)
  if (!rest) return false
  const outcome = await readRun(parts, dialog, first, run)
  await settle(parts, state, run, outcome.spent)
  const stream = seatStream(state.request, state.agent)
  const at = parts.clock.now()
  if (rest.rest !== 'ready' || rest.isDead || rest.latch) {
    parts.log('warn', 'the agent of a conversation with a peer failed', { dialog, code: rest.failure?.code ?? null })
    orRefuse(await parts.seats.handle(stream, [{ type: 'fail-run', at, run, why: 'failure', spent: outcome.spent }]))
    return true
  }
  const hasReported = await fileReports(parts, state, outcome)
  const tools: RunTools = { hasReported, question: outcome.question, asksEnd: outcome.asksEnd }
  orRefuse(await parts.seats.handle(stream, [{ type: 'finish-run', at, run, output: outcome.output, tools, spent: outcome.spent }]))
  return true
}

async function settle(parts: MemberParts, state: SeatState, run: string, spent: Spending): Promise<void> {
  orRefuse(await parts.ledgers.handle(ledgerStream(state.agent), [{ type: 'settle-spending', at: parts.clock.now(), run, ...spent }]))
}

async function untilRest(parts: MemberParts, dialog: string, signal: AbortSignal): Promise<DialogState | null> {
  for (;;) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = parts.store.hints.onStream((stream) => stream === dialog && resolve())
    const takeBack = parts.clock.after(runLimits.backstopMs, resolve)
    const onAbort = (): void => resolve()
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      if (signal.aborted) return null
      const state = await parts.dialogs.load(dialog)
      if (!isDue(state)) return state
      await promise
    } finally {
      stop()
      takeBack()
      signal.removeEventListener('abort', onAbort)
    }
  }
}

type FiledReport = { text: string; nextStep: string; isFinal: boolean; announce: 'required' | 'skip' | 'default' }
type MadeRun = { output: string; reports: FiledReport[]; question: RunTools['question']; asksEnd: boolean; spent: Spending }

/** Words and calls of the agent in this run, from the log of its dialog. */
async function readRun(parts: MemberParts, dialog: string, first: number, run: string): Promise<MadeRun> {
  const texts: string[] = []
  const calls = new Map<string, { name: string; input: unknown }>()
  const outcome: MadeRun = { output: '', reports: [], question: null, asksEnd: false, spent: { tokens: 0, money: 0 } }
  for (let after = first - 1; ;) {
    const events = (await parts.store.read(dialog, after, 500)) as unknown as (DialogEvent & { seq: number })[]
    for (const event of events) {
      if (event.type === 'message.said' && event.data.by.kind === 'agent') texts.push(event.data.text)
      if (event.type === 'tool.called') calls.set(event.data.call, event.data)
      if (event.type === 'tool.returned' && event.data.ok) addCall(outcome, calls.get(event.data.call), `${run} ${event.data.call}`)
      const spent = 'spent' in event.data ? event.data.spent : undefined
      if (spent) outcome.spent = { tokens: outcome.spent.tokens + spent.tokens, money: outcome.spent.money + spent.money }
    }
    const last = events.at(-1)
    if (!last) break
    after = last.seq
  }
  const spoken = texts.filter((text) => text.trim() !== '')
  const last = spoken.at(-1) ?? ''
  // Words to the peer that came with a question to the owner are the message, whatever followed the call.
  outcome.output = outcome.question && last.trim() === noReply ? (spoken.at(-2) ?? last) : last
  return outcome
}

function addCall(outcome: MadeRun, call: { name: string; input: unknown } | undefined, seed: string): void {
  if (call?.name === channelTool.end) outcome.asksEnd = true
  const ask = call?.name === channelTool.ask ? askInput.safeParse(call.input).data : undefined
  if (ask && !outcome.question) outcome.question = { question: `q_${sha256(seed).slice(0, 24)}`, text: ask.question }
  const report = call?.name === channelTool.report ? reportInput.safeParse(call.input).data : undefined
  if (!report) return
  const { text, nextStep = '', announce = 'default', kind } = report
  outcome.reports.push({ text, nextStep, isFinal: kind !== 'progress', announce })
}

/** True when the report of the intent is filed. Words that were asked for as a report count as one. */
async function fileReports(parts: MemberParts, state: SeatState, { reports, output }: MadeRun): Promise<boolean> {
  const { request, agent } = state
  const at = parts.clock.now()
  const stream = reportStream(request, agent)
  const words = output.trim()
  const spoken: FiledReport[] =
    state.run?.purpose === 'report' && reports.length === 0 && words !== '' && words !== noReply
      ? [{ text: words.slice(0, worldLimits.reportChars).toWellFormed(), nextStep: '', isFinal: true, announce: 'default' }]
      : []
  const turn = state.delivery?.turns.at(-1)?.turn ?? 0
  let isFiled = false
  for (const { text, nextStep, isFinal, announce } of [...reports, ...spoken]) {
    if (isFinal) {
      const filed = await parts.reports.handle(stream, [
        { type: 'file-report', at, request, agent, text, source: 'agent', announce, nextStep },
      ])
      // A text that is no report, such as an empty one, leaves the report open, so that the runtime composes it.
      isFiled ||= filed.ok || (filed.why === 'refused' && filed.refusal.code === 'report_exists')
    } else if (state.reporting !== 'end' && state.reporting !== 'none')
      await parts.reports.handle(stream, [{ type: 'note-progress', at, request, agent, turn, text }])
  }
  return isFiled
}
