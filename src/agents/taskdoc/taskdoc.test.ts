import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import type { Cause } from '../../authority/cause.ts'
import type { Role } from '../../authority/roles.ts'
import { systemClock } from '../../ports/clock.ts'
import { textFiles } from '../minds/text-files.ts'
import { hashContent, sectionFile } from './section.ts'
import { taskdocs } from './taskdoc.ts'
import { isOfUse, taskdocTools } from './taskdoc-tools.ts'
import { ownerCause } from '../../testing/owner-cause.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-taskdoc-'))
const documents = taskdocs(root, textFiles(), systemClock)
const [change, recall] = taskdocTools(documents)

async function use(
  tool: typeof change,
  input: object,
  more: { taskdoc?: string | null; isSide?: boolean; cause?: Cause } = {},
): Promise<string> {
  const checked = tool?.check(input) ?? { fault: 'no tool' }
  assert.ok('input' in checked, JSON.stringify(checked))
  const context = {
    dialog: 'd',
    agent: 'a',
    call: 'c',
    taskdoc: 'plan.tsk',
    isSide: false,
    cause: ownerCause,
    signal: new AbortController().signal,
    ...more,
  }
  return String(await tool?.run(checked.input, context))
}
const readSection = (file: string): string => readFileSync(join(root, 'plan.tsk', file), 'utf8')

describe('a task document', () => {
  after(() => rmSync(root, { recursive: true }))

  it('is written section by section and read in a fixed order [taskdoc:sections] [taskdoc:recall]', async () => {
    assert.equal(documents.inContext('plan.tsk', 'en'), null)
    await use(change, { selector: 'progress', content: 'half way' })
    await use(change, { selector: 'risks', content: 'rain', category: 'bearinmind' })
    await use(change, { selector: 'contracts', content: 'signed', category: 'bearinmind' })
    await use(change, { selector: 'goals', content: 'a house' })
    await use(change, { selector: 'constraints', content: 'cheap', category: '' })
    await use(change, { selector: 'colours', content: 'green', category: 'notes' })
    const showSection = (name: string, text: string, level = '##'): string => `${level} ${name} (hash ${hashContent(text)})\n\n${text}`
    assert.equal(
      documents.inContext('plan.tsk', 'en'),
      [
        '# Task document plan.tsk',
        showSection('Goals', 'a house'),
        showSection('Constraints', 'cheap'),
        '## Bear in mind',
        showSection('Contracts', 'signed', '###'),
        showSection('Risks', 'rain', '###'),
        showSection('Progress', 'half way'),
        '## More sections (read them with recall_taskdoc)\n\n- notes/colours',
      ].join('\n\n'),
    )
    assert.match(documents.inContext('plan.tsk', 'zh') ?? '', /^# 任务文档/)
    assert.equal(await use(recall, { category: 'notes', selector: 'colours' }), 'green')
    await assert.rejects(use(recall, { category: 'notes', selector: 'missing' }), /no section "missing"/)
  })

  it('is changed only with the hash of what is there, when one is given [taskdoc:hash]', async () => {
    await use(change, { selector: 'goals', content: 'first' })
    const stale = hashContent('first')
    const result = await use(change, { selector: 'goals', content: 'second', previous_content_hash: stale })
    assert.match(result, new RegExp(hashContent('second')))
    await assert.rejects(
      use(change, { selector: 'goals', content: 'third', previous_content_hash: stale }),
      new RegExp(`Nothing was changed.*${hashContent('second')}`),
    )
    assert.equal(readSection('goals.md'), 'second')
    await use(change, { selector: 'goals', content: 'second', previous_content_hash: stale })
    await assert.rejects(
      use(change, { selector: 'fresh', category: 'notes', content: 'x', previous_content_hash: stale }),
      /does not exist yet/,
    )
    await use(change, { selector: 'fresh', category: 'notes', content: 'x', previous_content_hash: 'none' })
    assert.ok(readdirSync(join(root, 'plan.tsk')).every((name) => !name.includes('draft')))
  })

  it('belongs to the main dialog [taskdoc:root-only]', async () => {
    await assert.rejects(use(change, { selector: 'goals', content: 'x' }, { isSide: true }), /Only the main dialog/)
    await assert.rejects(use(change, { selector: 'goals', content: 'x' }, { taskdoc: null }), /no task document/)
    const offered = (input: { taskdoc: string | null; isSide: boolean }): string[] =>
      [change, recall].flatMap((tool) => (tool && isOfUse(tool, input) ? [tool.name] : []))
    assert.deepEqual(offered({ taskdoc: null, isSide: false }), [])
    assert.deepEqual(offered({ taskdoc: 'a.tsk', isSide: true }), ['recall_taskdoc'])
    assert.deepEqual(offered({ taskdoc: 'a.tsk', isSide: false }), ['change_mind', 'recall_taskdoc'])
  })

  it('refuses sections that cannot be, in words [taskdoc:refused]', async () => {
    for (const [input, why] of [
      [{ selector: 'goals', content: ' ' }, /empty/],
      [{ selector: 'plans', content: 'x' }, /one of goals, constraints, progress/],
      [{ selector: 'risks', content: 'x' }, /belongs to the category "bearinmind"/],
      [{ selector: 'colours', category: 'bearinmind', content: 'x' }, /has only contracts/],
      [{ selector: 'goals', category: 'notes', content: 'x' }, /reserved/],
      [{ selector: 'Risks', category: 'notes', content: 'x' }, /reserved/],
      [{ selector: 'x', category: 'BearInMind', content: 'x' }, /reserved/],
      [{ selector: '../x', category: 'notes', content: 'x' }, /not a name of a section/],
      [{ selector: 'x', category: '../..', content: 'x' }, /not a name of a category/],
      [{ selector: 'goals', content: 'x'.repeat(100_001) }, /more than 100000/],
    ] as [object, RegExp][])
      await assert.rejects(use(change, input), why, JSON.stringify(input))
  })

  it('is no way out of itself [taskdoc:inside]', async () => {
    mkdirSync(join(root, 'other'))
    mkdirSync(join(root, 'linked.tsk'))
    symlinkSync('../other', join(root, 'linked.tsk/notes'))
    symlinkSync('other', join(root, 'fake.tsk'))
    await assert.rejects(
      use(change, { selector: 'x', category: 'notes', content: 'x' }, { taskdoc: 'linked.tsk' }),
      /outside of the task document/,
    )
    await assert.rejects(use(change, { selector: 'goals', content: 'x' }, { taskdoc: 'fake.tsk' }), /link to something that is none/)
    await assert.rejects(use(change, { selector: 'goals', content: 'x' }, { taskdoc: '../up.tsk' }), /"\.\."/)
    await assert.rejects(use(change, { selector: 'goals', content: 'x' }, { taskdoc: 'other' }), /ends with "\.tsk"/)
    assert.deepEqual(readdirSync(join(root, 'other')), [])
    fc.assert(
      fc.property(fc.string(), fc.option(fc.string()), (selector, category) => {
        try {
          assert.match(sectionFile(selector, category), /^([a-zA-Z][\w-]*\/)?[a-zA-Z][\w-]*\.md$/)
        } catch (error) {
          assert.ok(error instanceof Error && !(error instanceof assert.AssertionError))
        }
      }),
    )
  })

  it('remembers the lowest role that wrote [taskdoc:floor]', async () => {
    const as = (role: Role): { taskdoc: string; cause: Cause } => ({ taskdoc: 'shared.tsk', cause: { ...ownerCause, role } })
    await use(change, { selector: 'goals', content: 'by the owner' }, as('owner'))
    assert.equal(documents.floor('shared.tsk'), null)
    await use(change, { selector: 'goals', content: 'by a member' }, as('member'))
    const first = documents.floor('shared.tsk')
    assert.equal(first?.role, 'member')
    assert.deepEqual(first?.writers, ownerCause.by)
    await use(change, { selector: 'goals', content: 'by the owner again' }, as('owner'))
    assert.deepEqual(documents.floor('shared.tsk'), first, 'text may have moved to another section')
    await use(change, { selector: 'goals', content: 'by a guest' }, as('guest'))
    await use(change, { selector: 'goals', content: 'by a member' }, as('member'))
    const last = documents.floor('shared.tsk')
    assert.deepEqual([last?.role, last?.change === first?.change], ['guest', false])
    writeFileSync(join(root, 'shared.tsk/.floor.json'), '{"role":"owner"}')
    assert.equal(documents.floor('shared.tsk')?.role, 'guest', 'a damaged record raises nothing')
    writeFileSync(join(root, 'shared.tsk/.floor.json'), '{"role":"member","change":"c1"}')
    assert.deepEqual(documents.floor('shared.tsk'), { role: 'member', change: 'c1', writers: [] }, 'a record of an earlier version')
    assert.equal(documents.floor('../up.tsk'), null)
  })

  it('says aloud what does not fit [taskdoc:cap]', () => {
    mkdirSync(join(root, 'big.tsk'))
    writeFileSync(join(root, 'big.tsk/goals.md'), '世'.repeat(40_000))
    const showSection = documents.inContext('big.tsk', 'en') ?? ''
    assert.match(showSection, /longer than 100 KB: \d+ bytes are omitted here/)
    assert.ok(Buffer.byteLength(showSection) < 101_000 && !showSection.includes('\ufffd'))
  })
})
