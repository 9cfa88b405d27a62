import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ScriptedAgent, scriptedRuntime } from '../../agents/runtimes/scripted.ts'
import type { Language } from '../../shapes/language.ts'
import { type Answers, findQuestionFault, type QuestionOutcome } from '../../dialogs/rules/question.ts'
import type { ContextItem } from '../../dialogs/rules/dialog-state.ts'
import type { AgentOutput } from '../../ports/agent-runtime.ts'
import type { TurnNotes } from '../../ports/hooks.ts'
import { toOutputs, sampleInput, toWords } from '../../testing/agent-contract.ts'
import { ada, researcher } from './index.ts'
import { ownerCause } from '../../testing/owner-cause.ts'

const treeTools = new Set(['tellask', 'tellaskBack'])

/** Plays the driver and the human; each generation gets nothing but the context. */
class Play {
  context: ContextItem[] = []
  /** Notes of plugins for the next turns. */
  notes: TurnNotes | undefined
  #language: Language
  #turn = 0

  #agent: ScriptedAgent

  constructor(language: Language = 'en', agent = ada) {
    this.#language = language
    this.#agent = agent
  }

  async #turnOf(): Promise<AgentOutput[]> {
    this.#turn += 1
    const all: AgentOutput[] = []
    for (let generation = 1; ; generation += 1) {
      const isSide = this.#agent === researcher
      const input = {
        ...sampleInput,
        language: this.#language,
        context: structuredClone(this.context),
        turn: this.#turn,
        generation,
        isSide,
        ...(this.notes && { notes: this.notes }),
      }
      const outputs = await toOutputs(scriptedRuntime(this.#agent, { fast: true }).generate(input, new AbortController().signal))
      all.push(...outputs)
      if (toWords(outputs) !== '') this.context.push({ kind: 'agent', text: toWords(outputs), turn: this.#turn })
      for (const output of outputs) {
        if (output.type === 'question') {
          assert.equal(findQuestionFault(output.ask), null)
          this.context.push({ kind: 'question', question: `q_${this.context.length}`, call: null, ask: output.ask, outcome: null })
        }
        if (output.type === 'call') await this.#run(output)
      }
      if (!outputs.some((output) => output.type === 'call' && !treeTools.has(output.name))) return all
    }
  }

  async #run({ call, name, input }: Extract<AgentOutput, { type: 'call' }>): Promise<void> {
    if (treeTools.has(name)) return void this.context.push({ kind: 'call', call, name, input, result: null })
    const tool = this.#agent.tools.find((one) => one.name === name)
    const checked = tool?.check(input) ?? { fault: 'no such tool' }
    assert.ok('input' in checked, JSON.stringify(checked))
    const output = await tool?.run(checked.input, {
      dialog: 'd_1',
      agent: 'ada',
      call,
      taskdoc: null,
      isSide: false,
      cause: ownerCause,
      signal: new AbortController().signal,
    })
    this.context.push({ kind: 'call', call, name, input, result: { ok: true, output } })
  }

  say(text: string): Promise<AgentOutput[]> {
    this.context.push({ kind: 'human', text, by: 'me' })
    return this.#turnOf()
  }

  /** Another dialog speaks. */
  prompt(text: string): Promise<AgentOutput[]> {
    this.context.push({ kind: 'prompt', text })
    return this.#turnOf()
  }

  /** The reply to what it asked another dialog. */
  reply(output: string, ok = true): Promise<AgentOutput[]> {
    this.context = this.context.map((item) => (item.kind === 'call' && item.result === null ? { ...item, result: { ok, output } } : item))
    this.context.push(
      ...this.context.splice(
        this.context.findLastIndex((item) => item.kind === 'call'),
        1,
      ),
    )
    return this.#turnOf()
  }

  close(outcome: QuestionOutcome, answers: Answers | null = null): Promise<AgentOutput[]> {
    const isOpen = (item: ContextItem): boolean => item.kind === 'question' && item.outcome === null
    const closed = this.context
      .filter(isOpen)
      .map((item) => ({ ...item, outcome: { outcome, at: 1, by: 'me', via: null, answers, reason: null } }) as ContextItem)
    this.context = [...this.context.filter((item) => !isOpen(item)), ...closed]
    return this.#turnOf()
  }
}

const callIn = (outputs: AgentOutput[]): string[] => outputs.flatMap((output) => (output.type === 'call' ? output.name : []))

const questionIn = (outputs: AgentOutput[]): string[] =>
  outputs.flatMap((output) => (output.type === 'question' ? output.ask.items.map(({ id }) => id) : []))

describe('Ada', () => {
  it('leads through a choice, a set of two, a teammate and a tool to a list made of the answers', async () => {
    const play = new Play()
    assert.deepEqual(questionIn(await play.say('Build me a reading-list agent')), ['goal'])
    const second = await play.close('answered', { goal: 'fun' })
    assert.match(toWords(second), /Just for fun/)
    assert.deepEqual(questionIn(second), ['pace', 'topic'])
    const asks = await play.close('answered', { pace: 'keen', topic: 'old maps' })
    assert.deepEqual(callIn(asks), ['tellask'])
    assert.match(toWords(await play.say('And?')), /still working/)
    assert.match(toWords(await play.prompt('@researcher asks you back.\n> How much?')), /one book a week/)
    const last = await play.reply('【最终完成】\nRead short ones.')
    assert.deepEqual(callIn(last), ['make_list'])
    assert.match(
      toWords(last),
      /## Your reading list: old maps[\s\S]*just for fun[\s\S]*1\. old maps[\s\S]*> @researcher: Read short ones\.\n\n\| No\. \| Title \|[\s\S]*```yaml/,
    )
    assert.match(toWords(await play.say('And now?')), /parley model set/)
  })

  it('speaks Chinese to who writes Chinese, or whose page is Chinese', async () => {
    assert.match(toWords(await new Play('en').say('你好')), /我是 Ada/)
    assert.match(toWords(await new Play('zh').say('?')), /我是 Ada/)
    assert.match(toWords(await new Play('zh').say('Hello')), /I am Ada/)
  })

  for (const outcome of ['declined', 'cancelled', 'expired'] as const) {
    it(`goes on kindly when questions are ${outcome}`, async () => {
      const play = new Play()
      await play.say('Hi')
      const second = await play.close(outcome)
      assert.match(toWords(second), /sensible/)
      assert.deepEqual(questionIn(second), ['pace', 'topic'])
      assert.match(toWords(await play.close(outcome)), /sensible[\s\S]*@researcher/)
      assert.match(toWords(await play.reply('It was declared dead.', false)), /continue alone[\s\S]*How things are made/)
    })
  }

  it('suggests nothing to who closed its last reply, and does again afterwards', async () => {
    for (const [hello, suggestion] of [
      ['Hi', /parley model set/],
      ['你好', /parley model set/],
    ] as const) {
      const play = new Play()
      await play.say(hello)
      await play.close('answered', { goal: 'fun' })
      await play.close('answered', { pace: 'keen', topic: 'maps' })
      play.notes = { lines: ['The user closed the previous reply; answer only what is asked.'], followUps: 'suppressed' }
      assert.doesNotMatch(toWords(await play.reply('Short ones.')), /whenever you like|随时/)
      const closed = toWords(await play.say(hello))
      assert.notEqual(closed, '')
      assert.doesNotMatch(closed, suggestion)
      play.notes = { lines: [], followUps: 'allowed' }
      assert.match(toWords(await play.say(hello)), suggestion)
    }
  })

  it('waits while its question is open', async () => {
    const play = new Play()
    await play.say('Hi')
    assert.match(toWords(await play.say('Hello?')), /still open/)
    assert.deepEqual(questionIn(await play.close('answered', { goal: 'work' })), ['pace', 'topic'])
  })

  it('gives a long reply on request, at any time', async () => {
    const play = new Play()
    assert.match(toWords(await play.say('a long one please')), /Stop button[\s\S]*Here it ends/)
    assert.deepEqual(questionIn(await play.say('Hi')), ['goal'])
  })

  it('does the same again from the same context, so a crash changes nothing', async () => {
    const context: ContextItem[] = [{ kind: 'human', text: 'Hi', by: 'me' }]
    const once = (): Promise<AgentOutput[]> =>
      toOutputs(scriptedRuntime(ada, { fast: true }).generate({ ...sampleInput, context }, new AbortController().signal))
    assert.deepEqual(await once(), await once())
  })
})

describe('the researcher', () => {
  const request = 'You are the responder.\n\nNow (sources):\n> Say which books.'

  it('asks back, asks the human once, and reports', async () => {
    const play = new Play('en', researcher)
    assert.deepEqual(callIn(await play.prompt(request)), ['tellaskBack'])
    assert.match(toWords(await play.say('Well?')), /still open/)
    assert.deepEqual(questionIn(await play.reply('One book a month.')), ['length'])
    assert.match(toWords(await play.say('Well?')), /still open/)
    assert.match(toWords(await play.close('answered', { length: 'short' })), /under two hundred pages/)
    assert.match(toWords(await play.say('And what about you?')), /Write to her/)
  })

  it('reports without an answer too, and in the language of the request', async () => {
    const play = new Play('en', researcher)
    await play.prompt('Now:\n> 请说明：关于“old maps”。')
    await play.reply('没有人回答。', false)
    assert.match(toWords(await play.close('declined')), /长短搭配/)
  })
})
