import { worldOwnerTexts } from '../../words/index.ts'
import type { DialogEvent } from '../../dialogs/rules/dialog-events.ts'
import { isDue, type DialogState } from '../../dialogs/rules/dialog-state.ts'
import type { DialogCommand } from '../../dialogs/rules/decide-dialog.ts'
import type { Work } from '../../streams/pump.ts'
import { isAnnounced, isAnnounceSkip } from '../rules/boundary/announce.ts'
import { fenced } from '../rules/boundary/peer-text.ts'
import { formatIdentity } from '../rules/identity/public-identity.ts'
import type { ReportFacts } from '../rules/report-events.ts'
import { findQuotes } from '../rules/report-quotes.ts'
import { nextReportStep, type ReportState } from '../rules/report-state.ts'
import type { SeatState } from '../rules/seat-state.ts'
import { reportStream, seatStream } from '../rules/streams.ts'
import { type MemberParts, orRefuse, type OwnAccount, readTold, sha256 } from './member-parts.ts'
import { readSeatKey, seatKey } from './member-rows.ts'
import { worldsVia } from './run-agent.ts'

export const reportWorkLimits = { concurrentReports: 16, lookAgainMs: 2_000, eventsBack: 500 } as const

/** Brings a filed report to its owner: completed with facts, said in the main dialog, told by the main agent. */
export async function runReport(parts: MemberParts, { lease }: Work): Promise<void> {
  const { request, agent } = readSeatKey(lease.key)
  const account = parts.account(agent)
  const stream = reportStream(request, agent)
  for (;;) {
    const report = await parts.reports.load(stream)
    const step = nextReportStep(report)
    const seat = await parts.seats.load(seatStream(request, agent))
    const isIdle = step === null || step === 'file' || (step === 'complete' && !seat.end)
    if (!account || isIdle) return void (await parts.committer.commit({ lease, settle: 'done' }))
    const at = parts.clock.now()
    if (step === 'complete')
      orRefuse(await parts.reports.handle(stream, [{ type: 'complete-report', at, facts: await readFacts(parts, seat, report) }]))
    else if (step === 'store') await storeReport(parts, account, seat, report)
    else if (!(await announce(parts, seat, report)))
      return void (await parts.committer.commit({ lease, settle: { retryAt: at + reportWorkLimits.lookAgainMs, forgive: true } }))
  }
}

async function readFacts(parts: MemberParts, seat: SeatState, { filed }: ReportState): Promise<ReportFacts> {
  const view = await readTold(parts, seat.request, seat.agent)
  const { end, side } = seat
  const endedBy =
    end?.by === null || end === null
      ? end?.reason === 'both_agreed' || end?.reason === 'both_silent'
        ? 'both'
        : 'runtime'
      : end.by === side
        ? 'you'
        : 'peer'
  return {
    peer: formatIdentity(seat.peer),
    world: view?.world?.displayName ?? null,
    turns: end?.turns ?? 0,
    money: seat.spent.money,
    endedBy,
    reason: end?.reason ?? 'silence',
    likes: { given: view?.feedback.gave ?? null, received: view?.feedback.received ?? null },
    quotes: findQuotes(filed?.text ?? '', await readTurns(parts, seat)),
  }
}

/** None while the host cannot be reached: a report does not wait for it. */
async function readTurns({ host, log }: MemberParts, { request, agent }: SeatState): Promise<{ turn: number; text: string }[]> {
  try {
    const result = await host.call(agent, 'conversations.turns', { request })
    return result.ok ? result.value.turns : []
  } catch (error) {
    log('info', 'quotations of a report could not be compared with the turns', { request, error })
    return []
  }
}

export function reportText(language: OwnAccount['language'], { filed, facts }: ReportState): string {
  const texts = worldOwnerTexts[language]
  const vote = (kind: 'like' | 'dislike' | null): string => texts.votes[kind ?? 'none']
  const lines = facts
    ? texts.facts(facts, texts.ends[facts.reason], texts.endedBy[facts.endedBy], {
        given: vote(facts.likes.given),
        received: vote(facts.likes.received),
      })
    : ''
  const nextStep = filed?.nextStep === undefined ? '' : texts.nextStep(filed.nextStep)
  return [lines, filed?.text ?? '', nextStep].filter((part) => part !== '').join('\n\n')
}

/** The dialog of the owner in which a request was asked for; without one, a dialog for all reports of the account. */
export async function findHome({ store }: Pick<MemberParts, 'store'>, request: string, agent: string): Promise<string> {
  const chosen = await store.remembered(homeName(request, agent))
  return chosen ? String(chosen.value) : `dlg_worlds_${sha256(agent).slice(0, 20)}`
}

/** The author of a report in the main dialog; the chat request follows. */
export const reportAuthor = 'report:'

export const homeName = (request: string, agent: string): string => `world-home:${seatKey(request, agent)}`

async function storeReport(parts: MemberParts, account: OwnAccount, seat: SeatState, report: ReportState): Promise<void> {
  const { request, agent } = report
  const at = parts.clock.now()
  const announced = report.filed?.announce ?? 'default'
  const store = (dialog: string, message: string) =>
    parts.reports.handle(reportStream(request, agent), [{ type: 'store-report', at, dialog, message }])
  // The owner finds it in the list of reports; the main agent is not woken.
  if (!isAnnounced(announced)) return orRefuse(await store('', ''))
  const dialog = await findHome(parts, request, agent)
  const texts = worldOwnerTexts[account.language]
  const text = `${texts.announce[announced === 'required' ? 'required' : 'default']}\n\n${fenced(reportText(account.language, report))}`
  const message = `msg_${sha256(`report ${seatKey(request, agent)}`).slice(0, 24)}`
  const by = { kind: 'human' as const, name: formatIdentity(seat.peer), id: `${reportAuthor}${request}`, role: 'member' as const }
  const commands = (now: DialogState): DialogCommand[] => [
    ...(now.seq === 0
      ? [
          {
            type: 'open-dialog' as const,
            at,
            agent: account.name,
            by: { kind: 'human' as const, name: 'parley', role: 'owner' as const },
            language: account.language,
            title: texts.mainTitle,
          },
        ]
      : []),
    { type: 'say', at, message, text, by, via: worldsVia },
  ]
  const result = await parts.dialogs.handle(dialog, commands, {
    once: { key: `world-tell:${dialog}:${seatKey(request, agent)}`, value: () => message },
  })
  // The list of reports has it also when the main dialog takes no message, such as a dead one.
  if (!result.ok && result.why === 'refused') return orRefuse(await store('', ''))
  orRefuse(result)
  orRefuse(await store(dialog, message))
}

/** The main agent answered the report with the token. Where many messages came in between, it counts as told. */
async function wasSkipped({ store, dialogs }: MemberParts, dialog: string, message: string): Promise<boolean> {
  const { seq } = await dialogs.load(dialog)
  const events = (await store.read(
    dialog,
    Math.max(0, seq - reportWorkLimits.eventsBack),
    reportWorkLimits.eventsBack,
  )) as unknown as DialogEvent[]
  const from = events.findIndex((event) => event.type === 'message.said' && event.data.message === message)
  const words = events
    .slice(from + 1)
    .flatMap((event) => (event.type === 'message.said' && event.data.by.kind === 'agent' ? [event.data.text] : []))
  return (
    from >= 0 &&
    words.length > 0 &&
    words.every((text) => isAnnounceSkip(text) || Object.values(worldOwnerTexts).some(({ skipped }) => text === skipped))
  )
}

/** False while the main agent has not read it yet. */
async function announce(parts: MemberParts, _seat: SeatState, report: ReportState): Promise<boolean> {
  const { request, agent, stored } = report
  const dialog = stored?.dialog ?? ''
  if (dialog !== '' && isDue(await parts.dialogs.load(dialog))) return false
  const outcome = dialog === '' || (await wasSkipped(parts, dialog, stored?.message ?? '')) ? 'skipped' : 'told'
  orRefuse(await parts.reports.handle(reportStream(request, agent), [{ type: 'end-announcement', at: parts.clock.now(), outcome }]))
  return true
}
