/**
 * Ada, the agent of the demo: a normal agent written on the public API, and the tutorial of how to write one.
 *
 * `reply` looks at the dialog and finds the next thing to do. It keeps no notes, so killing the server at any moment and
 * starting it again makes no difference.
 */
// Inside this repository the API is imported by its file; from the package it is `import { defineAgent } from 'parley-runtime'`.
import { z } from 'zod'
import { defineAgent, type Stage } from '../../src/agents/runtimes/scripted.ts'
import { defineTool } from '../../src/agents/tool.ts'
import type { Language } from '../../src/dialog/events.ts'
import type { AgentOutput, GenerationInput } from '../../src/ports/agent-runtime.ts'
import { type Words, words } from './words.ts'

type Item = GenerationInput['context'][number]
type Asked = Extract<Item, { kind: 'question' }>

const makeList = defineTool({
  name: 'make_list',
  description: 'Makes a short reading list about a topic.',
  input: z.object({ topic: z.string().min(1), language: z.enum(['en', 'zh']) }),
  // It only computes, so running it twice after a crash does no harm.
  afterCrash: 'repeat',
  run({ topic, language }) {
    const titles = {
      en: [`${topic}: a first walk through`, `The people behind ${topic}`, `${topic}, seen from the outside`, `A notebook on ${topic}`],
      zh: [`${topic}：初次漫步`, `${topic}背后的人`, `从外面看${topic}`, `${topic}笔记`],
    }
    return { titles: titles[language] }
  },
})

export const ada = defineAgent({
  name: 'ada',
  about: 'Scripted demo agent: shows a reply, questions, a tool and Stop, without any model.',
  tools: [makeList],

  async *reply(input, stage) {
    const language = languageOf(input)
    const say = words[language]
    const { context } = input
    const last = context.at(-1)
    const goal = question(context, 'goal')
    const details = question(context, 'pace')
    const list = context.findLast((item) => item.kind === 'call' && item.name === makeList.name)

    if (last?.kind === 'human' && /\blong\b|长/i.test(last.text)) return yield* longReply(say, stage)
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
    if (details && (!list || wantsAnother(list, last))) {
      yield* stage.say(details.outcome.outcome === 'answered' ? say.gathering : say.skipped[details.outcome.outcome])
      const topic = answer(details, 'topic') ?? say.defaults.topic
      return yield { type: 'call', call: `list_${input.turn}_${input.generation}`, name: makeList.name, input: { topic, language } }
    }
    if (last?.kind === 'call' && last === list) return yield* showList(say, goal, details, last, stage)

    const count = context.filter((item) => item.kind === 'human').length
    yield* stage.say(say.later[count % say.later.length] ?? '')
  },
})

export default ada

async function* showList(
  say: Words,
  goal: Asked | undefined,
  details: Asked | undefined,
  call: Extract<Item, { kind: 'call' }>,
  stage: Stage,
): AsyncGenerator<AgentOutput> {
  const made = z.object({ titles: z.array(z.string()) }).safeParse(call.result?.output)
  if (!call.result?.ok || !made.success) return yield* stage.say(say.listFailed)
  const topic = (details && answer(details, 'topic')) ?? say.defaults.topic
  yield { type: 'title', title: topic }
  const plan = {
    goal: (goal && answer(goal, 'goal')) ?? say.defaults.goal,
    pace: (details && answer(details, 'pace')) ?? say.defaults.pace,
    topic,
    titles: made.data.titles,
  }
  yield* stage.say(say.plan(plan))
}

async function* longReply(say: Words, stage: Stage): AsyncGenerator<AgentOutput> {
  for (const [index, sentence] of say.long.entries()) yield* stage.say(index === 0 ? sentence : `\n\n${sentence}`, 250)
}

/** The language of the latest message, if it has one; otherwise that of the page. */
function languageOf({ context, language }: GenerationInput): Language {
  const latest = context.findLast((item) => item.kind === 'human')
  if (latest && /\p{Script=Han}/u.test(latest.text)) return 'zh'
  return latest && /\p{Script=Latin}/u.test(latest.text) ? 'en' : language
}

const question = (context: readonly Item[], part: string): Asked | undefined =>
  context.findLast((item) => item.kind === 'question' && item.ask.items[0]?.id === part) as Asked | undefined

/** What the human chose or wrote, in the words they saw. */
function answer({ ask, outcome }: Asked, part: string): string | undefined {
  const item = ask.items.find(({ id }) => id === part)
  const value = outcome?.answers?.[part]
  return item?.kind === 'choice'
    ? item.options.find((option) => option.value === value)?.label
    : value
        ?.replace(/[|`\s]+/g, ' ')
        .trim()
        .slice(0, 80)
        .toWellFormed()
}

const wantsAnother = (list: Item, last: Item | undefined): boolean =>
  list.kind === 'call' && list.result?.ok === false && last?.kind === 'human' && /\bagain\b|再/i.test(last.text)
