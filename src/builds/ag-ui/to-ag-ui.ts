import type { BuildEventView } from '../../client/build-view.ts'
import { type AgUiEvent, type AgUiMessage, protocolVersion } from './ag-ui-event.ts'
import { type BuildPicture, emptyPicture, pictureAfter, type SaidLine } from './build-picture.ts'
import { toInterrupts } from './interrupts.ts'
import { statePatch } from './state-patch.ts'

export type AgUiRun = {
  thread: string
  run: string
  build: string
  /** Events up to this one are what the run starts from; those after it are what it shows. */
  after: number
  /** Messages the client already has. They are not sent again: its reducer would append the same text twice. */
  messages: readonly AgUiMessage[]
}

/** The whole log as one run. It ends at an open question, or with the build. */
export function toAgUi(log: readonly BuildEventView[], run: AgUiRun): AgUiEvent[] {
  const before = log.filter(({ seq }) => seq <= run.after)
  const shown = shownRun(run, before.reduce(pictureAfter, emptyPicture(run.build)))
  return [...shown.opening, ...shown.take(log)]
}

export type ShownRun = {
  readonly opening: AgUiEvent[]
  /** Converts these events. A question that they do not answer ends the run, unless more of the log follows at once. */
  take(events: readonly BuildEventView[], isPart?: boolean): AgUiEvent[]
  /** Its last event was given out; nothing may follow it. */
  readonly isOver: boolean
}

/**
 * A build in the eyes of an AG-UI client: a thread with one run from question to question. A step of a build stays open
 * while its question is; one of AG-UI may not outlive its run. So it is closed before the interrupt and opened again in
 * the next run.
 */
export function shownRun({ thread, run, build, messages }: AgUiRun, start: BuildPicture): ShownRun {
  let picture = start
  let openStep: string | null = null
  let isOver = false
  const messagesById = new Map(messages.map((message) => [message.id, message]))
  const getId = ({ seq }: SaidLine): string => `${build}:${seq}`

  const opening: AgUiEvent[] = [
    { type: 'RUN_STARTED', threadId: thread, runId: run, protocolVersion },
    { type: 'STATE_SNAPSHOT', snapshot: picture.state },
    ...(picture.lines.some((line) => isMissing(line)) ? [messagesSnapshot()] : []),
    ...startStep(picture.openStep),
  ]

  function isMissing(line: SaidLine): boolean {
    // The client's own words have the client's own ids. An answer was no message of it.
    if (line.kind === 'request') return !messages.some(({ role }) => role === 'user')
    return messagesById.get(getId(line))?.content !== line.text
  }

  function messagesSnapshot(): AgUiEvent {
    const lines = new Map(
      picture.lines
        .filter((line) => line.kind !== 'request' || isMissing(line))
        .map((line): [string, AgUiMessage] => [getId(line), { id: getId(line), role: line.role, content: line.text }]),
    )
    const theirs = messages.map((message) => lines.get(message.id) ?? message)
    return { type: 'MESSAGES_SNAPSHOT', messages: [...theirs, ...[...lines.values()].filter(({ id }) => !messagesById.has(id))] }
  }

  function startStep(step: string | null, timestamp?: number): AgUiEvent[] {
    openStep = step
    return step === null ? [] : [{ type: 'STEP_STARTED', stepName: step, ...(timestamp === undefined ? {} : { timestamp }) }]
  }

  function finishStep(timestamp: number): AgUiEvent[] {
    const step = openStep
    openStep = null
    return step === null ? [] : [{ type: 'STEP_FINISHED', stepName: step, timestamp }]
  }

  function getText(line: SaidLine | undefined): AgUiEvent[] {
    if (!line || !isMissing(line)) return []
    const messageId = getId(line)
    const there = messagesById.get(messageId)?.content
    const has = typeof there === 'string' ? there : ''
    // The client changed this text; appending to it would give nonsense.
    if (!line.text.startsWith(has)) return []
    const metadata = line.kind === 'reassurance' || line.kind === 'question' ? { metadata: { kind: line.kind } } : {}
    return [
      { type: 'TEXT_MESSAGE_START', messageId, role: line.role, timestamp: line.at, ...metadata },
      { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: line.text.slice(has.length), timestamp: line.at },
      { type: 'TEXT_MESSAGE_END', messageId, timestamp: line.at },
    ]
  }

  function one(event: BuildEventView): AgUiEvent[] {
    const { state } = picture
    picture = pictureAfter(picture, event)
    const timestamp = event.at
    const delta = statePatch(state, picture.state)
    const changed: AgUiEvent[] = delta.length === 0 ? [] : [{ type: 'STATE_DELTA', delta, timestamp }]
    switch (event.type) {
      case 'build.opened':
      case 'build.instructed':
      case 'assistant.message.created':
        return getText(picture.lines.at(-1))
      case 'progress.step.started':
        return [...finishStep(timestamp), ...startStep(event.payload.step_id, timestamp), ...changed]
      case 'progress.step.completed':
        return [...changed, ...finishStep(timestamp)]
      case 'session.completed':
      case 'session.failed':
        isOver = true
        return [...finishStep(timestamp), ...changed, ending(timestamp)]
      case 'question.requested':
      case 'questions.requested':
      case 'build.answered':
        return [...getText(picture.lines.at(-1)), ...changed]
      case 'session.started':
      case 'status.changed':
      case 'build.cancelled':
      case 'build.retried':
      case 'build.turn.started':
      case 'build.told':
      case 'build.unheard':
      default:
        return changed
    }
  }

  function ending(timestamp: number): AgUiEvent {
    const { status, output, reason } = picture.state
    const summary = picture.lines.findLast(({ kind }) => kind === 'message')?.text ?? null
    const finished = { type: 'RUN_FINISHED', threadId: thread, runId: run, timestamp } as const
    if (status === 'complete') return { ...finished, outcome: { type: 'success' }, result: { output, summary } }
    if (status === 'cancelled') return { ...finished, outcome: { type: 'cancelled' } }
    return {
      type: 'RUN_ERROR',
      message: summary ?? reason ?? 'This build did not come to an end.',
      code: 'build_failed',
      timestamp,
      ...(reason === null ? {} : { metadata: { reason } }),
    }
  }

  function interrupting(): AgUiEvent[] {
    const { question } = picture.state
    if (isOver || question === null) return []
    isOver = true
    return [
      ...(openStep === null ? [] : [{ type: 'STEP_FINISHED', stepName: openStep } as const]),
      { type: 'STATE_SNAPSHOT', snapshot: picture.state },
      messagesSnapshot(),
      { type: 'RUN_FINISHED', threadId: thread, runId: run, outcome: { type: 'interrupt', interrupts: toInterrupts(question) } },
    ]
  }

  /** A run that starts from the end has nothing to show but the end. */
  function resting(): AgUiEvent[] {
    if (isOver || !picture.isOver) return []
    isOver = true
    return [ending(picture.lines.at(-1)?.at ?? 0)]
  }

  return {
    opening,
    take(events, isPart = false) {
      const frames: AgUiEvent[] = []
      for (const event of events) if (!isOver && event.seq > picture.seq) frames.push(...one(event))
      return isPart ? frames : [...frames, ...interrupting(), ...resting()]
    },
    get isOver() {
      return isOver
    },
  }
}
