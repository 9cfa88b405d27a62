import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type SystemFacts, systemPrompt } from './system-prompt.ts'
import { declareTools, type ToolFacts } from './tool-declarations.ts'
import { toolsFault } from './test/tools-fault.ts'

const facts: SystemFacts = {
  name: 'ada',
  about: 'plans work.',
  persona: 'Be brief.',
  language: 'en',
  answersIn: null,
  variant: 'root',
  team: [{ name: 'researcher', about: 'finds facts' }],
  notes: ['Node 24 is installed.', ' '],
}

describe('the system prompt', () => {
  test('has its parts in order, and leaves out empty ones with their heading', () => {
    const headings = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('# '))
    const whole = systemPrompt(facts)
    assert.ok(whole.startsWith('You are ada: plans work. Be brief.\n\nYou work in Parley'))
    assert.deepEqual(headings(whole), ['# Team', '# Who to ask', '# Working', '# Finishing', '# Markers', '# Language'])
    assert.ok(whole.endsWith('# Language\nUse the language of the person or request you answer.\n\nNode 24 is installed.'))
    assert.deepEqual(headings(systemPrompt({ ...facts, team: [] }))[0], '# Who to ask')
  })

  test('has at most 400 words without persona, team and notes, in every variant', () => {
    for (const variant of ['root', 'side'] as const) {
      const words = systemPrompt({ ...facts, variant, persona: '', team: [], notes: [] }).split(/\s+/)
      assert.ok(words.length <= 400, `${variant}: ${words.length}`)
    }
  })

  test('a side is told to deliver with reply, a root to speak to the person', () => {
    assert.match(systemPrompt({ ...facts, variant: 'side' }), /Deliver with reply\..*\n\n# Markers/)
    assert.match(systemPrompt({ ...facts, variant: 'side' }), /tellaskBack before you guess/)
    assert.doesNotMatch(systemPrompt(facts), /before you guess|Deliver with reply/)
    assert.match(systemPrompt({ ...facts, language: 'zh', answersIn: 'zh' }), /^你是 ada：plans work。Be brief\.[\s\S]*用中文回答。/)
  })

  test('a fresh mind reads who it is and, once, that it has no tools [fbr:one-notice]', () => {
    assert.equal(
      systemPrompt({ ...facts, variant: 'fresh-mind' }),
      'You are ada: plans work. Be brief.\n\nThere are no tools here and nobody can be called. Think from the text you are given, and answer in words.',
    )
  })
})

describe('tool declarations', () => {
  const own = ['zip', 'alpha'].map((name) => ({ name, description: name, inputSchema: {} }))
  const all: ToolFacts = { variant: 'root', hasTeammates: true, canReason: true, hasTaskdoc: true }
  const names = (more: Partial<ToolFacts>): string[] => declareTools(own, { ...all, ...more }).map(({ name }) => name)

  const flags = [true, false]
  const everyFacts = flags.flatMap((hasTeammates) =>
    flags.flatMap((canReason) => flags.map((hasTaskdoc): Omit<ToolFacts, 'variant'> => ({ hasTeammates, canReason, hasTaskdoc }))),
  )

  /** The first place at which root and side differ before their last declaration, over all facts; null for none. */
  function findDifference(declare: typeof declareTools): string | null {
    for (const given of everyFacts) {
      const root = declare(own, { ...given, variant: 'root' })
      const side = declare(own.toReversed(), { ...given, variant: 'side' })
      const fault = toolsFault(root, side)
      if (fault !== null) return fault
    }
    return null
  }

  test('a root and a side of one member have the same tools up to the last [P18]', () => {
    assert.equal(findDifference(declareTools), null)
    const root = names({})
    const side = names({ variant: 'side' })
    assert.deepEqual([root.at(-1), side.at(-1)], ['change_mind', 'tellaskBack'])
    assert.deepEqual(root.slice(0, 3), ['alpha', 'zip', 'reply'])
  })

  /** Each breaks the rule, as a careless change would. */
  const planted: Record<string, { found: RegExp; declare: typeof declareTools }> = {
    'what a side alone has comes first': {
      found: /^0: /,
      declare: (tools, given) => {
        const list = declareTools(tools, given)
        return given.variant === 'side' ? [...list.slice(-1), ...list.slice(0, -1)] : list
      },
    },
    'tools stand in the order in which they were given': {
      found: /^0: /,
      declare: (tools, given) => [...tools, ...declareTools([], given)],
    },
    'a side is not offered a tool of the root': {
      found: /withdraw_question/,
      declare: (tools, given) => declareTools(tools, given).filter(({ name }) => given.variant === 'root' || name !== 'withdraw_question'),
    },
    'a declaration says something else in a side': {
      found: /clear_mind/,
      declare: (tools, given) =>
        declareTools(tools, given).map((tool) =>
          tool.name === 'clear_mind' && given.variant === 'side' ? { ...tool, description: 'Another text.' } : tool,
        ),
    },
  }
  for (const [name, { found, declare }] of Object.entries(planted))
    test(`planted: ${name} [P18]`, () => assert.match(findDifference(declare) ?? 'none', found))

  test('a tool without use is not declared', () => {
    const alone = names({ hasTeammates: false, canReason: false, hasTaskdoc: false })
    for (const name of ['reply', 'tellask', 'tellaskSessionless', 'freshBootsReasoning', 'recall_taskdoc', 'change_mind'])
      assert.ok(!alone.includes(name), name)
    assert.deepEqual(names({ variant: 'fresh-mind' }), [])
  })

  test('no declaration takes unknown fields', () => {
    for (const { name, inputSchema } of declareTools([], all))
      assert.equal((inputSchema as { additionalProperties?: boolean }).additionalProperties, false, name)
  })
})
