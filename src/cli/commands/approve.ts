import type { CommandFunction } from '../command-row.ts'
import type { ApprovalDecision } from '../../authority/audience.ts'
import { questionsIn, type AnswerInput, type ParleyClient } from '../../client/index.ts'
import type { QuestionView } from '../../shapes/wire.ts'
import { describeError, ParleyError } from '../../errors.ts'
import { approvalQuestion } from '../approval-question.ts'
import { approvalWithCommands, decidedLine, decisionCommands, endLine, grantedLines } from '../approval-words.ts'
import { withServer } from '../connect.ts'
import { askDecisions, decide, groupApprovals } from '../decide-approval.ts'
import { exitCode } from '../exit-code.ts'
import { UsageError } from '../fault.ts'
import type { Given } from '../given.ts'
import { toRefusal } from '../live-talk.ts'
import { withCommands } from '../rest-outcome.ts'
import { readUntil } from '../read-until.ts'
import type { Terminal } from '../terminal.ts'

const decisions = ['once', 'chat', 'always'] as const satisfies readonly ApprovalDecision[]

export const run: CommandFunction = async (terminal, given) => {
  const answer = answerFromFlags(given)
  const id = given.optionalArg(0)
  if (id === undefined && answer !== null)
    throw new UsageError('A decision needs the id of its approval.', 'List what waits: parley approve')
  if (id === 'last')
    throw new UsageError('Name an approval by its id: "last" could be another one than you read.', 'List open approvals: parley approve')
  return withServer(terminal, async ({ client }) => {
    if (id === undefined) return listAndAsk(terminal, client)
    const question = await approvalQuestion(client, id, terminal)
    if (answer !== null) {
      const decided = await decide(client, question.id, answer, terminal)
      tell(terminal, decided)
      return exitCode.ok
    }
    const ended = endLine(question, terminal.words)
    if (ended !== null) throw toRefusal({ ...describeError('question_closed', { outcome: question.state }), message: ended })
    if (!terminal.interactive) throw new ParleyError('needs_terminal', { flag: decisionCommands(question).answerWith })
    return (await ask(terminal, client, [question])) ? exitCode.ok : exitCode.interrupted
  })
}

function answerFromFlags(given: Given): AnswerInput | null {
  const used = decisions.filter((decision) => given.on(decision))
  if (used.length > 1) throw new UsageError(`--${used[0]} and --${used[1]} exclude each other.`, 'See: parley approve --help')
  const [decision] = used
  const scope = given.text('scope')
  const until = given.text('until')
  const extra = ['scope', 'where', 'until'].find((flag) => given.has(flag))
  if (extra !== undefined && decision !== 'chat' && decision !== 'always')
    throw new UsageError(`--${extra} needs --chat or --always.`, 'See: parley approve --help')
  if (given.has('where') && scope === undefined) throw new UsageError('--where needs --scope.', 'See: parley approve --help')
  if (given.has('edit') && decision !== 'once') throw new UsageError('--edit needs --once.', 'See: parley approve --help')
  if (decision === undefined) return null
  return {
    decision,
    ...(scope === undefined ? {} : { scope }),
    ...(given.has('where') ? { where: readPairs('where', given.list('where'), 'repo=acme/*') } : {}),
    ...(given.has('edit') ? { edits: readPairs('edit', given.list('edit'), 'purpose="A book"') } : {}),
    ...(until === undefined ? {} : { until: readUntil(until) }),
  }
}

function readPairs(flag: string, fields: readonly string[], example: string): Record<string, string> {
  return Object.fromEntries(
    fields.map((field) => {
      const at = field.indexOf('=')
      if (at < 1) throw new UsageError(`--${flag} ${field}: it has no "=".`, `Such as: --${flag} ${example}`)
      return [field.slice(0, at), field.slice(at + 1)]
    }),
  )
}

async function listAndAsk(terminal: Terminal, client: ParleyClient): Promise<number> {
  const { words, paint } = terminal
  const groups = groupApprovals(questionsIn(await client.inbox()))
  const items = groups.flat()
  if (terminal.json || !terminal.interactive || items.length === 0) {
    terminal.result({ items: items.map(withCommands), count: items.length }, () =>
      items.flatMap((question, at) => [
        ...(at > 0 ? [''] : []),
        `${paint.bold(question.id)}  ${paint.dim(question.dialog)}`,
        ...approvalWithCommands(question, words, paint),
      ]),
    )
    if (items.length === 0 && !terminal.json) terminal.say(words.approvals.nothingWaits)
    return exitCode.ok
  }
  for (const group of groups) if (!(await ask(terminal, client, group))) return exitCode.interrupted
  return exitCode.ok
}

/** False when the person put it off. */
async function ask(terminal: Terminal, client: ParleyClient, group: Parameters<typeof askDecisions>[1]): Promise<boolean> {
  const decided = await askDecisions(terminal, group)
  if (decided === null) {
    terminal.warn(...group.map(({ id }) => terminal.words.approvals.notNow(id)))
    return false
  }
  for (const { question, answer } of decided) tell(terminal, await decide(client, question.id, answer, terminal))
  return true
}

function tell(terminal: Terminal, decided: QuestionView): void {
  const { words, errPaint, language } = terminal
  terminal.item(decided, () => [decidedLine(decided, words), ...grantedLines(decided, words, language).map((line) => `  ${line}`)])
  const { decision } = decided.approval ?? {}
  if (!terminal.json && (decision === 'chat' || decision === 'always')) terminal.say(errPaint.dim(words.approvals.grantsHint))
}
