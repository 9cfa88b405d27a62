import { createHash } from 'node:crypto'
import type { BuildEventView } from '../../client/build-view.ts'
import { catalogue, describeError, ParleyError } from '../../errors.ts'
import type { Caller } from '../../shapes/parley.ts'
import { type AgUiEvent, type AgUiMessage, protocolVersion } from './ag-ui-event.ts'
import { type BuildPicture, emptyPicture, pictureAfter } from './build-picture.ts'
import type { BuildsForAgUi } from './builds-for-ag-ui.ts'
import type { RunInput } from './run-input.ts'
import { isSameAnswer, findOpening, hasSeenAll, readRunRequest } from './run-request.ts'
import { shownRun } from './to-ag-ui.ts'

export type RunAsked = {
  input: RunInput
  caller: Caller
  /** Throws when the caller may not cause this effect. */
  need(effect: 'open, instruct or cancel a build' | 'answer a build'): void
}

/** A run whose request was applied; following or leaving it changes nothing. */
export type AgUiRunOpen = { build: string | null; follow(signal: AbortSignal): AsyncGenerator<AgUiEvent[], void> }

/** Of the log only the picture is held: a run may follow its build for hours. */
type Known = { build: string; picture: BuildPicture }

/** Runs of AG-UI over builds: which build a thread belongs to, what the client wants of it, and what it is shown. */
export function agUiRuns(builds: BuildsForAgUi): (asked: RunAsked) => Promise<AgUiRunOpen> {
  /** A thread is the name under which its caller opened a build, for ever; or the id of any build. */
  async function getBuild({ input, caller }: RunAsked): Promise<string | null> {
    return (
      (await orNull(builds.get(input.threadId), 'build_not_found')) ??
      orNull(builds.open({ prompt: '' }, asThread(input, caller)), 'empty_text')
    )
  }

  /** The log page by page, up to a number. */
  async function* pages(build: string, after: number, upTo: number): AsyncGenerator<BuildEventView[], void> {
    for (let from = after; from < upTo;) {
      const page = await builds.events.read(build, { after: from, include: 'person' })
      const part = page.filter(({ seq }) => seq <= upTo)
      if (part.length > 0) yield part
      if (part.length < page.length || page.length === 0) return
      from = page.at(-1)?.seq ?? upTo
    }
  }

  async function pictureAt(build: string, upTo: number): Promise<BuildPicture> {
    let picture = emptyPicture(build)
    for await (const page of pages(build, 0, upTo)) picture = page.reduce(pictureAfter, picture)
    return picture
  }

  const loadKnown = async (build: string): Promise<Known> => ({ build, picture: await pictureAt(build, Infinity) })

  async function opened({ input, caller, need }: RunAsked): Promise<Known> {
    if ((input.resume ?? []).length > 0) throw new ParleyError('build_not_found', { build: input.threadId })
    const opening = findOpening(input)
    if ('refused' in opening) throw new ParleyError(opening.refused.code, opening.refused.details)
    need('open, instruct or cancel a build')
    const { build_id } = await builds.open(opening, asThread(input, caller))
    return loadKnown(build_id)
  }

  async function done(now: Known, { input, caller, need }: RunAsked): Promise<Known> {
    const { build, picture } = now
    const request = readRunRequest(picture, input)
    if ('refused' in request) throw new ParleyError(request.refused.code, { build, ...request.refused.details })
    switch (request.kind) {
      case 'watch':
        return now
      case 'instruct':
        need('open, instruct or cancel a build')
        await builds.instruct(build, request.text, onceFor(caller, `${input.threadId}\n${request.message}`, request.text))
        return loadKnown(build)
      case 'cancel':
        need('open, instruct or cancel a build')
        await builds.cancel(build, caller)
        return loadKnown(build)
      case 'answer': {
        need('answer a build')
        const { question, answers } = request
        try {
          if (question.isSet) await builds.answerAll(build, { set: question.id, answers }, caller)
          else await builds.answer(build, { question: question.id, answer: answers[question.id] ?? '' }, caller)
          return await loadKnown(build)
        } catch (error) {
          if (!(error instanceof ParleyError) || error.code !== 'already_answered') throw error
          const after = await loadKnown(build)
          if (!isSameAnswer(after.picture, question, answers)) throw error
          return after
        }
      }
    }
  }

  async function* shown({ build, picture }: Known, input: RunInput, signal: AbortSignal): AsyncGenerator<AgUiEvent[], void> {
    const after = hasSeenAll(picture, input.state) ? picture.seq : picture.answeredAt
    const messages = input.messages as unknown as AgUiMessage[]
    const start = after === picture.seq ? picture : await pictureAt(build, after)
    const run = shownRun({ thread: input.threadId, run: input.runId, build, after, messages }, start)
    yield run.opening
    for await (const page of pages(build, after, picture.seq)) {
      const part = run.take(page, true)
      if (part.length > 0) yield part
    }
    const rest = run.take([])
    if (rest.length > 0) yield rest
    if (run.isOver) return
    for await (const events of builds.events.follow(build, { after: picture.seq, include: 'person' }, signal)) {
      const batch = run.take(events)
      if (batch.length > 0) yield batch
      if (run.isOver) return
    }
  }

  return async (asked) => {
    const { input } = asked
    let build: string | null = null
    try {
      build = await getBuild(asked)
      const now = build === null ? await opened(asked) : await done(await loadKnown(build), asked)
      return { build: now.build, follow: (signal) => shown(now, input, signal) }
    } catch (error) {
      if (!isForTheRun(error)) throw error
      return {
        build,
        async *follow() {
          yield [{ type: 'RUN_STARTED', threadId: input.threadId, runId: input.runId, protocolVersion }, runError(error)]
        },
      }
    }
  }
}

/** Refusals by the rules of a build are shown in the run; missing rights and internal faults are not. */
const isForTheRun = (error: unknown): error is ParleyError =>
  error instanceof ParleyError && catalogue[error.code][0] === 'refused' && error.status !== 401 && error.status !== 403

export function runError({ code, details }: ParleyError): AgUiEvent {
  const { message, hint } = describeError(code, details)
  return { type: 'RUN_ERROR', message: `${message} ${hint}`, code }
}

/** The same key each time, whatever is asked: opening again gives the first build, and with no prompt nothing else. */
const asThread = ({ threadId }: RunInput, caller: Caller): Caller => onceFor(caller, threadId, '')

const onceFor = ({ by, via }: Caller, key: string, request: string): Caller => ({
  by,
  via,
  once: { key: `ag-ui:${key}`, request: createHash('sha256').update(request).digest('base64url') },
})

async function orNull(found: Promise<{ build_id: string }>, code: ParleyError['code']): Promise<string | null> {
  try {
    return (await found).build_id
  } catch (error) {
    if (error instanceof ParleyError && error.code === code) return null
    throw error
  }
}
