import assert from 'node:assert/strict'
import { ParleyError } from '../errors.ts'
import type { AgentOutput, AgentRuntime, GenerationInput } from '../ports/agent-runtime.ts'

/** Behaviours that the cases need from an agent of any kind. */
export type AgentSubject = {
  /** Says `words` and nothing else. */
  says(words: string): AgentRuntime
  /** Says something, then goes on for ever without another word. */
  hangs(): AgentRuntime
  /** Fails after it has begun to speak. */
  fails(): AgentRuntime
  close(): Promise<void>
}

export type AgentCase = { id: string; behaviour: string; run(subject: AgentSubject): Promise<void> }

export const sampleInput: GenerationInput = {
  dialog: 'd_1',
  agent: 'ada',
  language: 'en',
  turn: 1,
  generation: 1,
  context: [{ kind: 'human', text: 'Hello', by: 'me' }],
  contextDropped: 0,
  reminders: [],
  course: 1,
  isSide: false,
  role: 'owner',
  taskdoc: null,
  tools: [],
  prompt: {
    epoch: 1,
    system: 'You are ada.',
    tools: [],
    items: [{ kind: 'arrival', arrival: { kind: 'message', from: 'me', text: 'Hello', at: 0, offset: 0 } }],
    cachedItems: 0,
  },
}

const never = (): AbortSignal => new AbortController().signal

export async function toOutputs(outputs: AsyncIterable<AgentOutput>): Promise<AgentOutput[]> {
  const all: AgentOutput[] = []
  for await (const output of outputs) all.push(output)
  return all
}

/** The words of a reply: the finished ones if there are any, otherwise the pieces together. */
export function toWords(outputs: readonly AgentOutput[]): string {
  const finished = outputs.findLast((output) => output.type === 'text')
  return finished?.text ?? outputs.flatMap((output) => (output.type === 'delta' ? [output.text] : [])).join('')
}

/** The contract between any runtime and the driver. Plain data: any test runner, or none, can run it. */
export const agentContract: readonly AgentCase[] = [
  {
    id: 'agent:words',
    behaviour: 'what was said arrives whole, in any script',
    async run(subject) {
      const words = 'Grüße, 世界! 🎈 שלום'
      assert.equal(toWords(await toOutputs(subject.says(words).generate(sampleInput, never()))), words)
    },
  },
  {
    id: 'agent:again',
    behaviour: 'the same runtime serves several generations, also at the same time',
    async run(subject) {
      const runtime = subject.says('twice')
      const both = await Promise.all([
        toOutputs(runtime.generate(sampleInput, never())),
        toOutputs(runtime.generate({ ...sampleInput, turn: 2 }, never())),
      ])
      assert.deepEqual(both.map(toWords), ['twice', 'twice'])
    },
  },
  {
    id: 'agent:stop:before',
    behaviour: 'a generation that was stopped before it began says nothing',
    async run(subject) {
      const messages: AgentOutput[] = []
      await assert.rejects(async () => {
        for await (const output of subject.says('too late').generate(sampleInput, AbortSignal.abort(new Error('stopped'))))
          messages.push(output)
      }, /stopped/)
      assert.deepEqual(messages, [])
    },
  },
  {
    id: 'agent:stop:during',
    behaviour: 'a stop ends a generation that hangs, with the reason of the stop, and nothing is said after it',
    async run(subject) {
      const stop = new AbortController()
      let after = 0
      await assert.rejects(async () => {
        for await (const _ of subject.hangs().generate(sampleInput, stop.signal)) {
          if (stop.signal.aborted) after += 1
          stop.abort(new Error('stopped'))
        }
      }, /stopped/)
      assert.equal(after, 0)
    },
  },
  {
    id: 'agent:leave',
    behaviour: 'a reader may leave in the middle',
    async run(subject) {
      let heardCount = 0
      for await (const _ of subject.hangs().generate(sampleInput, never())) {
        heardCount += 1
        break
      }
      assert.equal(heardCount, 1)
    },
  },
  {
    id: 'agent:failure',
    behaviour: 'a failure is thrown in words of the catalogue, after what had been said',
    async run(subject) {
      let streamedText = ''
      await assert.rejects(
        async () => {
          for await (const output of subject.fails().generate(sampleInput, never()))
            if (output.type === 'delta') streamedText += output.text
        },
        (error: unknown) => error instanceof ParleyError && !error.message.includes('{') && error.message.length > 10,
      )
      assert.notEqual(streamedText, '')
    },
  },
  {
    id: 'agent:end',
    behaviour: 'after the end there is nothing more',
    async run(subject) {
      const iterator = subject.says('done').generate(sampleInput, never())[Symbol.asyncIterator]()
      while (!(await iterator.next()).done);
      assert.deepEqual(await iterator.next(), { done: true, value: undefined })
    },
  },
]
