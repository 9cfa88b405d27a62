import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { modelSchema } from '../../app/config/schema.ts'
import type { ContextItem } from '../../dialogs/rules/dialog-state.ts'
import { roles } from '../../authority/roles.ts'
import { declareTools } from '../../dialogs/rules/prompt/tool-declarations.ts'
import type { GenerationInput } from '../../ports/agent-runtime.ts'
import { sampleInput } from '../../testing/agent-contract.ts'
import { modelEmulator } from '../../testing/model-emulator.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { equipment } from '../equipment.ts'
import { unconfined } from '../sandbox/test/unconfined.ts'
import { protectionOfNames } from '../workspace/test/protection-of-names.ts'
import { modelRuntime } from './model.ts'
import { promptContext } from './prompt-context.ts'
import { systemPrompt } from './system-prompt.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-prompt-'))
const write = (path: string, text: string): void => {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
}
const clock = simulatedClock()
const team = [
  { name: 'ada', about: 'The lead.' },
  { name: 'bob', about: 'Knows bridges.' },
  { name: 'eve', about: '' },
]
const { around, taskdocTools } = equipment(root, {
  clock,
  layout: protectionOfNames(root),
  launcher: unconfined().launcher,
  isSandboxed: false,
  hasBash: () => true,
  team: () => team,
})
const tools = [...taskdocTools, ...declareTools([], { variant: 'root', hasTeammates: true, canReason: true, hasTaskdoc: false })]
const input: GenerationInput = { ...sampleInput, tools, reminders: ['first\nline two', 'second'], taskdoc: 'plan.tsk' }
const human = (text: string): ContextItem => ({ kind: 'human', text, by: 'me' })
const listTexts = (generation: GenerationInput): string[] =>
  promptContext({}, generation, around).map((item) => ('text' in item ? item.text : item.kind))

describe('what a model reads', () => {
  after(() => rmSync(root, { recursive: true }))
  write('.minds/memory/team_shared/rules.md', 'be kind')
  write('plan.tsk/goals.md', 'a bridge')
  write('.minds/team/ada/persona.md', 'Calm.')
  write('.minds/team/ada/persona.zh.md', '---\ntitle: x\n---\n沉着。')
  write('.minds/team/ada/lessons.md', 'Measure twice.')
  write('.minds/env.md', 'A workshop.')

  it('is memories, the task document, the dialog, and reminders and language just before the latest words', () => {
    const context: ContextItem[] = [
      human('old'),
      { kind: 'agent', text: 'reply', turn: 1 },
      human('new'),
      { kind: 'call', call: 'c', name: 'look', input: {}, result: null },
    ]
    const texts = listTexts({ ...input, context })
    assert.match(texts[0] ?? '', /^# What the team remembers\n\n## rules\.md\n\nbe kind$/)
    assert.match(texts[1] ?? '', /^# Task document plan\.tsk\n\n## Goals \(hash \w{12}\)\n\na bridge$/)
    assert.deepEqual(texts.slice(2, 4), ['old', 'reply'])
    assert.match(texts[4] ?? '', /^Your reminders\..*\n1\. first\n {3}line two\n2\. second$/)
    assert.match(texts[5] ?? '', /^\[Answer in the language of the latest message/)
    assert.deepEqual(texts.slice(6), ['new', 'call'])
    assert.match(listTexts({ ...input, language: 'zh', context }).join('\n'), /你的提醒项[^]*请使用最新消息的语言/)
    assert.equal(listTexts({ ...input, context: [], reminders: [], taskdoc: null }).length, 2)
  })

  it('A27: has memories and the task document for members and above, and neither once a guest or a group has written', () => {
    const reads = (words: string) => (role: GenerationInput['role']) =>
      listTexts({ ...input, role })
        .join('\n')
        .includes(words)
    assert.deepEqual(roles.map(reads('be kind')), [true, true, true, false, false, false])
    assert.deepEqual(roles.map(reads('a bridge')), [true, true, true, false, false, false])
  })

  it('begins with who it is, what people wrote down, and whom it can ask', () => {
    const system = systemPrompt({ about: 'The lead.' }, input, around)
    assert.match(
      system,
      /^You are ada: The lead\.\n\nCalm\.\n\nMeasure twice\.\n\nA workshop\.\n\nYour teammates:\n- @bob: Knows bridges\.\n- @eve\n\nTo ask a teammate, call tellask/,
    )
    assert.match(systemPrompt({}, { ...input, language: 'zh' }, around), /沉着。[^]*你的队友：/)
    assert.ok(!systemPrompt({}, { ...input, tools: [] }, around).includes('tellask'), 'what cannot be called is not explained')
    assert.match(systemPrompt({}, { ...input, contextDropped: 3 }, around), /no longer shown to you/)
  })

  it('is read again when it has changed, and not before a second is over', async () => {
    const persona = (): string => systemPrompt({}, input, around).split('\n\n')[1] ?? ''
    assert.equal(persona(), 'Calm.')
    write('.minds/team/ada/persona.md', 'Quick and calm.')
    assert.equal(persona(), 'Calm.')
    await clock.advance(1_000)
    assert.equal(persona(), 'Quick and calm.')
  })

  it('is for a fresh mind only the request, with one notice and no word of tools [fbr:one-notice]', async () => {
    const header: ContextItem = { kind: 'prompt', text: 'This is an FBR sideline dialog; …' }
    const fresh: GenerationInput = { ...input, isSide: true, tools: [], context: [header] }
    assert.deepEqual(promptContext({}, fresh, around), [header])
    const system = systemPrompt({ about: 'The lead.' }, fresh, around)
    assert.equal(system.match(/no tools/g)?.length, 1)
    for (const word of ['tellask', 'reminder', 'teammate', 'Calm', 'kind', 'bridge']) assert.ok(!system.includes(word), word)
    const emulator = await modelEmulator()
    try {
      const model = modelSchema.parse({
        provider: 'openai-compatible',
        baseUrl: emulator.url,
        model: 'm',
        temperature: 0.1,
        maxOutputTokens: 50,
      })
      const runtime = modelRuntime({ model, member: { fbrModelParams: { temperature: 1 } }, around })
      for (const each of [fresh, { ...input, taskdoc: null }]) {
        emulator.next({ does: 'reply', pieces: ['ok'] })
        for await (const _ of runtime.generate(each, new AbortController().signal));
      }
      const [first, second] = emulator.requests.map(
        ({ body }) => body as { temperature: number; max_tokens: number; tools?: { function: { name: string } }[] },
      )
      assert.deepEqual([first?.temperature, first?.max_tokens, first?.tools ?? []], [1, 50, []])
      assert.equal(second?.temperature, 0.1)
      const names = second?.tools?.map((tool) => tool.function.name) ?? []
      assert.deepEqual([names.includes('tellask'), names.includes('change_mind')], [true, false])
    } finally {
      await emulator.close()
    }
  })
})
