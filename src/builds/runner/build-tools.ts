import { z } from 'zod'
import { defineTool } from '../../agents/tool.ts'
import { buildOfDialog } from '../rules/build-dialog.ts'
import type { BuildState } from '../rules/build-state.ts'
import { type BuildCommand, decideBuild } from '../rules/decide-build.ts'
import { listEvents, type Move } from '../rules/moves.ts'
import { joinLines } from '../rules/join-lines.ts'
import { stepIds } from '../rules/steps.ts'
import { readAdditions } from '../rules/turn-input.ts'
import { faultRule, whereItStands } from '../rules/turn-message.ts'
import { ParleyError } from '../../errors.ts'
import type { Tool, ToolContext } from '../../ports/agent-runtime.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Store, StoredEvent } from '../../ports/store.ts'
import type { BuildStreams } from '../builds.ts'

const option = z.object({ label: z.string(), description: z.string().optional() })
const question = z.object({
  prompt: z.string().describe('The question in plain words.'),
  options: z.array(option).optional().describe('At least two to choose from; leave it out for an answer in words.'),
})

type Parts = {
  streams: BuildStreams
  store: Pick<Store, 'remembered'>
  tell(build: string, events: readonly StoredEvent[]): void
  clock: Clock
}

/**
 * Tools of a build's agent, for agents that are no programs of their own. Each call is one move; its outcome is what
 * the agent reads, including a fault and how to fix it. A call counts once, however often it is run.
 */
export function buildTools(parts: Parts): readonly Tool[] {
  const tool = <Input extends z.ZodType>(
    name: Move['do'],
    description: string,
    input: Input,
    toMove: (input: z.output<Input>, call: string) => Move,
  ): Tool =>
    defineTool({
      name,
      description,
      input,
      // Run again it finds what it did the first time.
      afterCrash: 'repeat',
      gate: { kind: 'talk' },
      run: (given, context) => make(parts, toMove(given, context.call), context),
    })
  return [
    tool(
      'start_step',
      `Begin the next step of the build; the one before it is completed by this. The steps, in this order: ${stepIds.join(', ')}.`,
      z.object({ step: z.enum(stepIds) }),
      ({ step }) => ({ do: 'start_step', step }),
    ),
    tool(
      'say',
      'Tell the person something in one or two short sentences, only when it helps them.',
      z.object({ text: z.string() }),
      ({ text }) => ({
        do: 'say',
        text,
      }),
    ),
    tool(
      'ask',
      'Ask the person one concrete question, only when you cannot go on without it. Then end your turn: the answer is your next message.',
      question,
      ({ prompt, options }, call) => ({ do: 'ask', ...toAskedQuestion(`q-${call}`, prompt, options) }),
    ),
    tool(
      'ask_many',
      'Ask the person two or more questions at once. Then end your turn: the answers are your next message.',
      z.object({ prompt: z.string().describe('One sentence above the questions.'), questions: z.array(question).min(2) }),
      ({ prompt, questions }, call) => ({
        do: 'ask_many',
        id: `s-${call}`,
        prompt,
        questions: questions.map((each, index) => toAskedQuestion(`q-${call}-${index + 1}`, each.prompt, each.options)),
      }),
    ),
    tool(
      'finish',
      'The build is done: all seven steps were started, and this completes the last one.',
      z.object({
        summary: z.string().describe('One short sentence for the person.'),
        output: z.string().optional().describe('The result itself, in Markdown.'),
      }),
      ({ summary, output }) => ({ do: 'finish', summary, ...(output === undefined ? {} : { output }) }),
    ),
    tool(
      'fail',
      'The build cannot be done. Say why in words the person understands.',
      z.object({ summary: z.string(), reason: z.string().optional().describe('A few words.') }),
      ({ summary, reason }) => ({ do: 'fail', summary, ...(reason === undefined ? {} : { reason }) }),
    ),
  ]
}

const toAskedQuestion = (id: string, prompt: string, options: z.output<typeof option>[] | undefined) => ({
  id,
  prompt,
  ...(options === undefined
    ? {}
    : {
        options: options.map(({ label, description }, index) => ({
          id: `o${index + 1}`,
          label,
          ...(description === undefined ? {} : { description }),
        })),
      }),
})

async function make({ streams, store, tell, clock }: Parts, move: Move, { dialog, call }: ToolContext): Promise<string> {
  // Version 0.1 named a call without its dialog.
  const first = await store.remembered(`build-call:${call}`)
  if (first) return String(first.value)
  const build = buildOfDialog(dialog)
  const at = clock.now()
  let words = ''
  const commands = (state: BuildState): BuildCommand[] => {
    const planned = plan(state, move, at)
    words = planned.words
    return planned.commands
  }
  const handled = await streams.handle(build, commands, { once: { key: `build-call:${dialog}:${call}`, value: () => words } })
  if (handled.ok) {
    tell(build, handled.events)
    return words
  }
  if (handled.why === 'seen') return String(handled.value)
  throw new ParleyError('busy', {}, { retryable: true })
}

/** All of a move or nothing: one that breaks a rule half-way would otherwise be half seen. */
function plan(state: BuildState, move: Move, at: number): { commands: BuildCommand[]; words: string } {
  if (state.seq === 0) return { commands: [], words: 'This dialog is no build: these tools do nothing here.' }
  if (state.progress.isOver) return { commands: [], words: 'The build is over. There is nothing more to do.' }
  const { turns: turn, progress, locale } = state
  if (state.turn === null) return { commands: [], words: 'The build is not waiting for you. End your turn.' }
  const items = listEvents(move, progress, locale).map((event) => ({ event }))
  const trial = decideBuild(state, { type: 'take-items', at, turn, items })
  const fault = 'events' in trial ? trial.events.find(({ type }) => type === 'build.faulted') : undefined
  if (fault?.type === 'build.faulted') {
    const { rule, words } = fault.data
    const drop: BuildCommand = { type: 'take-items', at, turn, items: [{ fault: { rule, words } }] }
    const dropped = decideBuild(state, drop)
    const isEnd = 'events' in dropped && dropped.events.some(({ type }) => type === 'build.failed')
    if (isEnd) return { commands: [drop], words: `That was not taken: ${words} It was one fault too many, so the build was ended.` }
    return {
      commands: [drop, { type: 'give-hint', at, turn }],
      words: `That was not taken: ${words} ${whereItStands(state)} Fix it and go on. ${faultRule}`,
    }
  }
  const take: BuildCommand = { type: 'take-items', at, turn, items }
  if (move.do === 'ask' || move.do === 'ask_many')
    return { commands: [take], words: 'Asked. End your turn now; the answer is your next message.' }
  const additions = readAdditions(state.inputs).map((text) => `The person adds: ${joinLines(text)}`)
  const tell: BuildCommand[] = additions.length === 0 ? [] : [{ type: 'tell-additions', at, turn }]
  if (move.do === 'finish' && tell.length > 0)
    return { commands: tell, words: ['Not finished yet.', ...additions, 'Do it, then call finish again.'].join('\n') }
  if (move.do === 'finish' || move.do === 'fail') return { commands: [take], words: 'The build is over.' }
  return { commands: [take, ...tell], words: ['Done.', ...additions].join('\n') }
}
