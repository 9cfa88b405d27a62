import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scriptedRuntime } from '../../src/agents/runtimes/scripted.ts'
import type { Language } from '../../src/dialog/events.ts'
import { type Answers, faultOf, type QuestionOutcome } from '../../src/dialog/question.ts'
import type { ContextItem } from '../../src/dialog/state.ts'
import type { AgentOutput } from '../../src/ports/agent-runtime.ts'
import { outputsOf, sampleInput, wordsOf } from '../../src/testing/agent-contract.ts'
import { ada } from './index.ts'

/** Plays the driver and the human; each generation gets nothing but the context. */
class Play {
  context: ContextItem[] = []
  #language: Language
  #turn = 0

  constructor(language: Language = 'en') {
    this.#language = language
  }

  async #turnOf(): Promise<AgentOutput[]> {
    this.#turn += 1
    const all: AgentOutput[] = []
    for (let generation = 1; ; generation += 1) {
      const input = { ...sampleInput, language: this.#language, context: structuredClone(this.context), turn: this.#turn, generation }
      const outputs = await outputsOf(scriptedRuntime(ada, { fast: true }).generate(input, new AbortController().signal))
      all.push(...outputs)
      if (wordsOf(outputs) !== '') this.context.push({ kind: 'agent', text: wordsOf(outputs), turn: this.#turn })
      for (const output of outputs) {
        if (output.type === 'question') {
          assert.equal(faultOf(output.ask), null)
          this.context.push({ kind: 'question', question: `q_${this.context.length}`, call: null, ask: output.ask, outcome: null })
        }
        if (output.type === 'call') await this.#run(output)
      }
      if (!outputs.some(({ type }) => type === 'call')) return all
    }
  }

  async #run({ call, name, input }: Extract<AgentOutput, { type: 'call' }>): Promise<void> {
    const tool = ada.tools.find((one) => one.name === name)
    const checked = tool?.check(input) ?? { fault: 'no such tool' }
    assert.ok('input' in checked, JSON.stringify(checked))
    const output = await tool?.run(checked.input, { dialog: 'd_1', agent: 'ada', call, signal: new AbortController().signal })
    this.context.push({ kind: 'call', call, name, input, result: { ok: true, output } })
  }

  say(text: string): Promise<AgentOutput[]> {
    this.context.push({ kind: 'human', text, by: 'me' })
    return this.#turnOf()
  }

  close(outcome: QuestionOutcome, answers: Answers | null = null): Promise<AgentOutput[]> {
    this.context = this.context.map((item) =>
      item.kind === 'question' && !item.outcome
        ? { ...item, outcome: { outcome, at: 1, by: 'me', via: null, answers, reason: null } }
        : item,
    )
    return this.#turnOf()
  }
}

const questionIn = (outputs: AgentOutput[]): string[] =>
  outputs.flatMap((output) => (output.type === 'question' ? output.ask.items.map(({ id }) => id) : []))

describe('Ada', () => {
  it('leads through a choice, a set of two and a tool to a list made of the answers', async () => {
    const play = new Play()
    assert.deepEqual(questionIn(await play.say('Build me a reading-list agent')), ['goal'])
    const second = await play.close('answered', { goal: 'fun' })
    assert.match(wordsOf(second), /Just for fun/)
    assert.deepEqual(questionIn(second), ['pace', 'topic'])
    const last = await play.close('answered', { pace: 'keen', topic: 'old maps' })
    assert.ok(last.some((output) => output.type === 'call' && output.name === 'make_list'))
    assert.match(wordsOf(last), /## Your reading list: old maps[\s\S]*just for fun[\s\S]*1\. old maps[\s\S]*\| Week \|[\s\S]*```yaml/)
    assert.match(wordsOf(await play.say('And now?')), /parley model set/)
  })

  it('speaks Chinese to who writes Chinese, or whose page is Chinese', async () => {
    assert.match(wordsOf(await new Play('en').say('你好')), /我是 Ada/)
    assert.match(wordsOf(await new Play('zh').say('?')), /我是 Ada/)
    assert.match(wordsOf(await new Play('zh').say('Hello')), /I am Ada/)
  })

  for (const outcome of ['declined', 'cancelled', 'expired'] as const) {
    it(`goes on kindly when questions are ${outcome}`, async () => {
      const play = new Play()
      await play.say('Hi')
      const second = await play.close(outcome)
      assert.match(wordsOf(second), /sensible/)
      assert.deepEqual(questionIn(second), ['pace', 'topic'])
      assert.match(wordsOf(await play.close(outcome)), /How things are made/)
    })
  }

  it('waits while its question is open', async () => {
    const play = new Play()
    await play.say('Hi')
    assert.match(wordsOf(await play.say('Hello?')), /still open/)
    assert.deepEqual(questionIn(await play.close('answered', { goal: 'work' })), ['pace', 'topic'])
  })

  it('gives a long reply on request, at any time', async () => {
    const play = new Play()
    assert.match(wordsOf(await play.say('a long one please')), /Stop button[\s\S]*Here it ends/)
    assert.deepEqual(questionIn(await play.say('Hi')), ['goal'])
  })

  it('does the same again from the same context, so a crash changes nothing', async () => {
    const context: ContextItem[] = [{ kind: 'human', text: 'Hi', by: 'me' }]
    const once = (): Promise<AgentOutput[]> =>
      outputsOf(scriptedRuntime(ada, { fast: true }).generate({ ...sampleInput, context }, new AbortController().signal))
    assert.deepEqual(await once(), await once())
  })
})
