import { type BuildView, buildViewOfAll, ClientError, emptyBuild, type ParleyClient } from '../client/index.ts'
import { describeError, type Details, ParleyError } from '../errors.ts'
import { askQuestion } from './ask.ts'
import { buildAnswerCommand, buildLines, openBuildQuestionLines, getQuestion } from './build-lines.ts'
import { exitCode } from './exit-code.ts'
import { isErrorCode } from './fault.ts'
import { terminalHint } from './terminal-hint.ts'
import type { Terminal } from './terminal.ts'
import { untilInterrupted } from './until-interrupted.ts'

/** Shows a build as it goes on and asks what it asks, until it is over. */
export async function followBuild(terminal: Terminal, client: ParleyClient, build: string): Promise<number> {
  const { words, paint, errPaint } = terminal
  const { agent } = await client.builds.get(build)
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  let view: BuildView = emptyBuild
  let asking: { id: string; stop: AbortController } | null = null
  let isAway = false
  // The line of a question waits until it is known who shows the question: this line, or the controls below it.
  let questionLines: string[] = []

  const showQuestionLines = (): void => {
    const lines = questionLines
    questionLines = []
    if (lines.length > 0) terminal.item(null, () => lines)
  }

  const lookAround = async (): Promise<void> => {
    const { question } = view
    if (asking && asking.id !== question?.id) asking.stop.abort()
    if (view.isOver) {
      // The end of an earlier round is not the end: the rest of the log may still be on its way.
      const { status } = await client.builds.get(build)
      if (!view.isOver || !['complete', 'failed', 'cancelled'].includes(status)) return
      if (view.status === 'failed' && !terminal.json) {
        const reason = await getReason(client, build)
        terminal.say(...reason, words.builds.whereToLook(build))
        if (!reason.some((line) => line.includes(retryCommand(build)))) terminal.say(words.builds.tryAgain(build))
      }
      return resolve(view.status === 'complete' ? exitCode.ok : exitCode.failed)
    }
    if (!question || asking?.id === question.id) return
    if (!terminal.interactive || !question.isSet) questionLines = []
    showQuestionLines()
    if (!terminal.interactive) {
      if (!terminal.json) terminal.warn(...openBuildQuestionLines(build, agent, question, words, errPaint))
      return resolve(exitCode.waitsForHuman)
    }
    const stop = new AbortController()
    asking = { id: question.id, stop }
    const answers = await askQuestion(terminal, getQuestion(question), { signal: stop.signal })
    // Answered elsewhere meanwhile.
    if (stop.signal.aborted) return
    if (!answers) {
      terminal.warn(`${words.notNow}${buildAnswerCommand(build, question)}`)
      return resolve(exitCode.interrupted)
    }
    const answerBody = question.isSet ? { answers } : { question_id: question.id, answer: answers[question.id] ?? '' }
    await client.builds.answer(build, answerBody).catch((error: unknown) => {
      if (!(error instanceof ClientError && error.code === 'already_answered')) throw error
      terminal.warn(error.message)
    })
  }

  const feed = client.builds.follow(build, 0, {
    onEvents(events) {
      for (const event of events) {
        const before = view
        view = buildViewOfAll(view, [event])
        // An answer typed here is not shown a second time.
        if (event.type === 'build.answered' && asking?.id === event.payload.question && terminal.interactive) continue
        const lines = buildLines(event, before, words, paint)
        showQuestionLines()
        if (!terminal.json && (event.type === 'question.requested' || event.type === 'questions.requested')) questionLines = lines
        else if (terminal.json || lines.length > 0) terminal.item(event, () => lines)
      }
      lookAround().catch(reject)
    },
    onState(state) {
      if (state === 'reconnecting' && !isAway) terminal.say(errPaint.yellow(words.connectionLost))
      if (state === 'live' && isAway) terminal.say(errPaint.dim(words.connectionBack))
      isAway = state === 'reconnecting'
    },
    onRefused: reject,
  })
  try {
    const code = await untilInterrupted(terminal, promise)
    if (code === exitCode.interrupted && !terminal.json) terminal.say('', words.builds.goesOn(build))
    return code
  } finally {
    feed.close()
  }
}

const retryCommand = (build: string): string => `parley builds retry ${build}`

/** The error behind a failed build, for its operator. People who may not read the whole log get none. */
async function getReason(client: ParleyClient, build: string): Promise<string[]> {
  const log: readonly { type: string; payload: object }[] = await client.builds.log(build).catch(() => [])
  const failed = log.findLast(({ type }) => type === 'build.failed')?.payload
  if (!failed || !('code' in failed) || !isErrorCode(failed.code)) return []
  const { message, hint } = describeError(failed.code, 'details' in failed ? (failed.details as Details) : {})
  return [message, terminalHint(hint, retryCommand(build))]
}

/** "last" is the build that was started most recently. */
export async function buildId(client: ParleyClient, asked: string): Promise<string> {
  if (asked !== 'last') return asked
  const [newest] = (await client.builds.list({ limit: 1 })).items
  if (!newest) throw new ParleyError('build_not_found', { build: 'yet' })
  return newest.build_id
}
