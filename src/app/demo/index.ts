/**
 * Ada, the agent of the demo: a normal agent written on the public API, and the tutorial of how to write one.
 *
 * `reply` looks at the dialog and finds the next thing to do. It keeps no notes, so killing the server at any moment and
 * starting it again makes no difference.
 */
// Inside this repository the API is imported by its file; from the package it is `import { defineAgent } from 'parley-runtime'`.
import { z } from 'zod'
import { defineAgent, type Stage } from '../../agents/runtimes/scripted.ts'
import { defineTool } from '../../agents/tool.ts'
import { languageCodes, type Language } from '../../shapes/language.ts'
import { listOptions } from '../../dialogs/rules/question.ts'
import type { AgentOutput, GenerationInput } from '../../ports/agent-runtime.ts'
import { demoBuild } from './build.ts'
import { demoWords } from '../../words/index.ts'
import type { DemoWords } from './words.ts'

type Item = GenerationInput['context'][number]
type Asked = Extract<Item, { kind: 'question' }>
type Call = Extract<Item, { kind: 'call' }>

const makeList = defineTool({
  name: 'make_list',
  description: 'Makes a short reading list about a topic.',
  input: z.object({ topic: z.string().min(1), language: z.enum(languageCodes) }),
  // It only computes, so running it twice after a crash does no harm.
  afterCrash: 'repeat',
  gate: { guests: 'allow' },
  run({ topic, language }) {
    return { titles: demoWords[language].titles(topic) }
  },
})

export const ada = defineAgent({
  name: 'ada',
  about: 'Scripted demo agent: shows a reply, questions, a teammate, a tool and Stop, without any model.',
  tools: [makeList],

  async *reply(input, stage) {
    const language = detectLanguage(input)
    const say = demoWords[language]
    const { context } = input
    const last = context.at(-1)
    const goal = question(context, 'goal')
    const details = question(context, 'pace')
    const research = lastCall(context, 'tellask')
    const list = lastCall(context, makeList.name)

    if (last?.kind === 'human' && /\blong\b|长/i.test(last.text)) return yield* longReply(say, stage)
    // A teammate asks back: what Ada says next is the answer.
    if (isNews(context, 'prompt')) return yield* stage.say(say.pace((details && answer(details, 'pace')) ?? say.defaults.pace))
    if (!goal && input.contextDropped === 0) {
      yield* stage.say(say.hello)
      return yield { type: 'question', ask: say.goal }
    }
    if (goal?.outcome === null || details?.outcome === null) return yield* stage.say(say.stillOpen)
    if (goal && !details && !list) {
      yield* stage.say(
        goal.outcome.outcome === 'answered' ? say.goalAnswered(answer(goal, 'goal') ?? '') : say.skipped[goal.outcome.outcome],
      )
      return yield { type: 'question', ask: say.details }
    }
    const topic = (details && answer(details, 'topic')) ?? say.defaults.topic
    if (details && !research && !list) {
      yield* stage.say(
        details.outcome.outcome === 'answered' ? say.asksResearcher : `${say.skipped[details.outcome.outcome]} ${say.asksResearcher}`,
      )
      const request = { targetAgentId: '@researcher', sessionSlug: 'sources', tellaskContent: say.assignment(topic) }
      return yield { type: 'call', call: `ask_${input.turn}_${input.generation}`, name: 'tellask', input: request }
    }
    if (research?.result === null) return yield* stage.say(say.researching)
    if (details && (!list || wantsAnother(list, last))) {
      yield* stage.say(research?.result?.ok === false ? say.researchLost : say.gathering)
      return yield { type: 'call', call: `parsedList${input.turn}_${input.generation}`, name: makeList.name, input: { topic, language } }
    }
    // A person who closed the last reply wants an answer without a suggestion.
    const ending = (text: string, suggestion: string): string =>
      input.notes?.followUps === 'suppressed' ? text : say.suggest(text, suggestion)
    if (last?.kind === 'call' && last === list) return yield* showList(say, { goal, details, research, list }, ending, stage)

    const count = context.filter((item) => item.kind === 'human').length
    const later = say.later[count % say.later.length]
    if (later) yield* stage.say(ending(later.text, later.suggestion))
  },

  build: (turn, { pause }) => demoBuild(turn, pause),
})

/** Ada's teammate. It works in a side dialog: asks back what only Ada knows, asks the human once, and reports. */
export const researcher = defineAgent({
  name: 'researcher',
  about: 'Scripted teammate of the demo: shows a side dialog.',

  async *reply(input, stage) {
    const say = demoWords[detectLanguage(input)].researcher
    const { context, turn, generation } = input
    const last = context.at(-1)
    const back = lastCall(context, 'tellaskBack')
    const length = question(context, 'length')

    // An answered question moves to the end of the context: words after it are the report.
    const hasReported = length !== undefined && context.findLastIndex((item) => item.kind === 'agent') > context.indexOf(length)

    if (!input.isSide || (last?.kind === 'human' && length?.outcome && hasReported)) return yield* stage.say(say.later)
    if (!back) {
      yield* stage.say(say.begin)
      return yield { type: 'call', call: `back_${turn}_${generation}`, name: 'tellaskBack', input: { tellaskContent: say.askBack } }
    }
    if (length?.outcome === null || (back.result === null && last?.kind === 'human')) return yield* stage.say(say.stillOpen)
    if (!length) return yield { type: 'question', ask: say.length }
    const chosen = length.outcome.answers?.['length']
    yield* stage.say(say.report[chosen === 'short' || chosen === 'long' ? chosen : 'any'])
  },
})

export default ada

type Known = { goal: Asked | undefined; details: Asked | undefined; research: Call | undefined; list: Call }

async function* showList(
  say: DemoWords,
  { goal, details, research, list }: Known,
  ending: DemoWords['suggest'],
  stage: Stage,
): AsyncGenerator<AgentOutput> {
  const parsedList = z.object({ titles: z.array(z.string()) }).safeParse(list.result?.output)
  if (!list.result?.ok || !parsedList.success) return yield* stage.say(say.listFailed)
  const topic = (details && answer(details, 'topic')) ?? say.defaults.topic
  yield { type: 'title', title: topic }
  const plan = {
    goal: (goal && answer(goal, 'goal')) ?? say.defaults.goal,
    pace: (details && answer(details, 'pace')) ?? say.defaults.pace,
    topic,
    titles: parsedList.data.titles,
    advice: research?.result?.ok ? adviceIn(research.result.output) : '',
  }
  yield* stage.say(ending(say.plan(plan), say.comeBack))
}

/** A reply begins with a line that says what it is; the advice is what follows. */
const adviceIn = (reply: unknown): string =>
  String(reply)
    .split('\n')
    .filter((line) => !line.startsWith('【'))
    .join(' ')
    .trim()

async function* longReply(say: DemoWords, stage: Stage): AsyncGenerator<AgentOutput> {
  for (const [index, sentence] of say.long.entries()) yield* stage.say(index === 0 ? sentence : `\n\n${sentence}`, 250)
}

/** The language of the latest message, if it has one; without a message that of the request; otherwise that of the page. */
function detectLanguage({ context, language }: GenerationInput): Language {
  const latest = context.findLast((item) => item.kind === 'human')
  if (latest && /\p{Script=Han}/u.test(latest.text)) return 'zh'
  if (latest && /\p{Script=Latin}/u.test(latest.text)) return 'en'
  const request = context.findLast((item) => item.kind === 'prompt')
  const first = /\p{L}/u.exec(quoted(request?.text ?? ''))?.[0]
  return first === undefined ? language : /\p{Script=Han}/u.test(first) ? 'zh' : 'en'
}

/** The quoted lines of a text: the words of the request itself. */
const quoted = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line.startsWith('> '))
    .join('\n')

/** True when such an item has arrived since the agent last spoke. */
const isNews = (context: readonly Item[], kind: Item['kind']): boolean =>
  context.findLastIndex((item) => item.kind === kind) > context.findLastIndex((item) => item.kind === 'agent')

const lastCall = (context: readonly Item[], name: string): Call | undefined =>
  context.findLast((item): item is Call => item.kind === 'call' && item.name === name)

const question = (context: readonly Item[], part: string): Asked | undefined =>
  context.findLast((item) => item.kind === 'question' && item.ask.items[0]?.id === part) as Asked | undefined

/** The answer of the person, in the words they saw. */
function answer({ ask, outcome }: Asked, part: string): string | undefined {
  const item = ask.items.find(({ id }) => id === part)
  const value = outcome?.answers?.[part]
  const options = listOptions(item)
  return options.length > 0
    ? options.find((option) => option.value === value)?.label
    : value
        ?.replace(/[|`\s]+/g, ' ')
        .trim()
        .slice(0, 80)
        .toWellFormed()
}

const wantsAnother = (list: Call, last: Item | undefined): boolean =>
  list.result?.ok === false && last?.kind === 'human' && /\bagain\b|再/i.test(last.text)
