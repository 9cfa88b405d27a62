import type { Policy } from '../authority/policy.ts'
import type { Author } from '../authority/roles.ts'
import type { BuildState } from '../builds/rules/build-state.ts'
import { summaryOfBuild } from '../builds/rows/build-rows.ts'
import type { DialogState } from '../dialogs/rules/dialog-state.ts'
import { questionView } from '../dialogs/rows/dialog-rows.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { Store, Wake } from '../ports/store.ts'
import type { Language } from '../shapes/language.ts'
import { backOffMs } from '../shapes/back-off.ts'
import type { QuestionView } from '../shapes/wire.ts'
import type { Committer } from '../streams/committer.ts'
import { pump, type Work } from '../streams/pump.ts'
import { type Notice, noticeKey, noticeWake, noticeWork } from './notice.ts'
import { buildText, type NoticeText, questionText } from './notice-text.ts'
import { isNotified, isNotifiedOfBuild } from './notified.ts'
import type { Sent } from './send-push.ts'

export const notifierLimits = {
  concurrent: 8,
  firstRetryMs: 5_000,
  longestRetryMs: 30 * 60_000,
  tries: 8,
  /** The news that a build ended is old after this time. */
  staleAfterMs: 24 * 60 * 60_000,
} as const

/** Work of telling one target about one notice; its payload is the notice. */
export const tellWork = 'notice-target'

/** Something a person is reached by: a browser or an e-mail address. `id` stays the same while it is the same target. */
export type NoticeTarget = {
  id: string
  reader: Author
  language: Language
  shows: 'words' | 'nothing'
  /** Until then it stays quiet. */
  quietUntil: number | null
  send(text: NoticeText, key: string): Promise<Sent>
  /** Notes what came of it, for the person to see. `gone`: it is removed. */
  note(sent: Sent): Promise<void>
}

/** Where targets come from. Each is asked again for every message, so that a session that ended gets nothing more. */
export type NoticeTargets = { list(): Promise<string[]>; open(id: string): Promise<NoticeTarget | null> }

/**
 * Notifies people of questions, approvals and builds. A notice is work, woken in the commit of its event; it wakes work for each
 * target, which is retried alone.
 *
 * | when a target's turn comes         | then                                                     |
 * |------------------------------------|----------------------------------------------------------|
 * | the question is closed             | nothing is sent                                          |
 * | the session ended, the role is gone | nothing is sent                                         |
 * | quiet hours                        | it waits for their end, then all of this is asked again  |
 * | sent                               | a crash before the commit sends it again: same tag       |
 * | the service does not answer        | again later, at most `tries` times; the person sees why  |
 * | the browser unsubscribed (404, 410) | the subscription is removed                             |
 */
export function notifier(parts: {
  store: Store
  committer: Committer
  dialogs: { load(dialog: string): Promise<DialogState> }
  builds: { load(build: string): Promise<BuildState> }
  policy: () => Policy
  targets: NoticeTargets
  clock: Clock
  log: Log
  metrics: Metrics
}): { start(): void; stop(graceMs: number): Promise<void> } {
  const { store, committer, dialogs, builds, policy, targets, clock, log, metrics } = parts

  /** The notice as this reader gets it; null when it is none of theirs, or over. */
  async function textFor(notice: Notice, { reader, language, shows }: NoticeTarget): Promise<NoticeText | null> {
    if (notice.about === 'question') {
      const { dialog, question, isLater } = notice
      const open = (await dialogs.load(dialog)).questions[question]
      if (!open || !isNotified(reader, open, policy(), isLater)) return null
      const view = (await store.row(questionView, question))?.body as QuestionView | undefined
      return view ? questionText(view, language, shows) : null
    }
    const state = await builds.load(notice.build)
    if (state.seq === 0 || !isNotifiedOfBuild(reader, state.author)) return null
    const summary = summaryOfBuild(state)
    if (notice.about === 'build-question') return summary.question ? buildText(summary, 'question', language, shows) : null
    const { end } = state
    if (!end || end.how === 'cancelled' || clock.now() - end.at > notifierLimits.staleAfterMs) return null
    return buildText(summary, end.how === 'complete' ? 'done' : 'failed', language, shows)
  }

  /** Wakes the work of each target. Those whom the notice is not for are left out when their turn comes. */
  async function spread({ lease }: Work): Promise<void> {
    const notice = lease.payload as Notice
    const wake: Wake[] = (await targets.list()).map((id) => ({
      kind: tellWork,
      key: `${id} ${noticeKey(notice)}`,
      at: clock.now(),
      payload: notice,
    }))
    if (notice.about === 'question' && !notice.isLater) {
      const { approval, askedAt } = (await dialogs.load(notice.dialog)).questions[notice.question] ?? {}
      if (approval?.escalate && askedAt !== undefined)
        wake.push(noticeWake({ ...notice, isLater: true }, askedAt + approval.escalate.afterMs))
    }
    await committer.commit({ lease, settle: 'done', wake, repeatable: true })
  }

  async function tell({ lease, signal }: Work): Promise<void> {
    const notice = lease.payload as Notice
    const target = await targets.open(lease.key.slice(0, lease.key.indexOf(' ')))
    const text = target && (await textFor(notice, target))
    if (!target || !text) return void (await committer.commit({ lease, settle: 'done', repeatable: true }))
    if (target.quietUntil !== null)
      return void (await committer.commit({ lease, settle: { retryAt: target.quietUntil, forgive: true }, repeatable: true }))
    const sent = await target.send(text, noticeKey(notice))
    // This server is stopping: the next one sends it.
    if (signal.aborted) return void (await committer.commit({ lease, settle: { retryAt: clock.now(), forgive: true }, repeatable: true }))
    metrics.count('notices_total', 1, { how: sent.how })
    await target.note(sent)
    const isAgain = sent.how === 'retry' && lease.attempts < notifierLimits.tries
    const afterMs = sent.how === 'retry' ? (sent.afterMs ?? backOffMs(notifierLimits, lease.attempts - 1)) : 0
    const settle = isAgain ? { retryAt: clock.now() + Math.min(afterMs, notifierLimits.longestRetryMs) } : ('done' as const)
    await committer.commit({ lease, settle, repeatable: true })
  }

  const work = { store, clock, log, metrics, slots: notifierLimits.concurrent }
  const pumps = [pump({ ...work, kind: noticeWork, handle: spread }), pump({ ...work, kind: tellWork, handle: tell })]
  return {
    start() {
      for (const one of pumps) one.start()
    },
    stop: async (graceMs) => void (await Promise.all(pumps.map((one) => one.stop(graceMs)))),
  }
}
