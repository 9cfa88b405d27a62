import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { QuestionView } from '../shapes/wire.ts'
import { cliFolder, type Ended } from './testing/spawned.ts'

type Sent = { questions: (QuestionView & { answerWith: string })[] }

const agent = fileURLToPath(new URL('../../test/fixtures/form-agent.ts', import.meta.url))
const toError = ({ err }: Ended): { code: string; hint: string } => (JSON.parse(err) as { error: { code: string; hint: string } }).error

describe('parley answer: numbers, dates and several options', () => {
  const cli = cliFolder()
  before(async () => {
    writeFileSync(join(cli.dir, 'parley.yaml'), `team:\n  members:\n    form:\n      runtime: scripted\n      module: ${agent}\n`)
    await cli.serve()
  })
  after(() => cli.close())

  async function ask(kind: string): Promise<{ id: string; answerWith: string }> {
    const { code, out, err } = await cli.run('send', kind, '--wait', '--json')
    assert.equal(code, 5, err)
    const [question] = (JSON.parse(out) as Sent).questions
    return question ?? assert.fail('nothing was asked')
  }

  const cases: [kind: string, refused: string, hint: RegExp, typed: string, stored: Record<string, string>, answerWith: RegExp][] = [
    ['number', '13', /whole number from 1 to 12 \(people\), such as 5/, '5 people', { guests: '5' }, /--text 5$/],
    ['date', '03/04/2026', /a date from 2026-01-01 to 2030-12-31/, '24.12.2026', { day: '2026-12-24' }, /--text 2026-01-01$/],
    ['choices', 'soup', /Choose at least 2/, '1, 3', { dishes: 'soup\ncake' }, /--text 'Soup, Pasta'$/],
  ]
  for (const [kind, refused, hint, typed, stored, command] of cases)
    test(`${kind}: refuses "${refused}" with the form it expects, and stores "${typed}"`, async () => {
      const { id, answerWith } = await ask(kind)
      assert.match(answerWith, command)
      const error = toError(await cli.run('answer', id, '--text', refused, '--json'))
      assert.equal(error.code, 'bad_answer')
      assert.match(error.hint, hint)
      const { closed } = await cli.json<QuestionView>('answer', id, '--text', typed)
      assert.deepEqual(closed?.answers, stored)
    })

  test('a set takes typed answers for each part', async () => {
    const { id } = await ask('form')
    const { code, out } = await cli.run('answer', id, '--set', 'guests=4', '--set', 'day=2026年12月24日', '--set', 'dishes=Cake; soup')
    assert.equal(code, 0)
    assert.match(out, /How many guests\?: 4 people · On which day\?: 2026-12-24 · Which dishes\?: Cake, Soup/)
  })

  test('send --wait lists what fits, in Chinese too', async () => {
    const { out } = await cli.run('send', 'number', '--wait')
    assert.match(out, /Enter a whole number from 1 to 12 \(people\), such as 5\./)
    const zh = await cli.with({ env: { LANG: 'zh_CN.UTF-8' } }, 'send', 'choices', '--wait')
    assert.match(zh.out, /Soup[\s\S]*Pasta[\s\S]*Cake/)
  })

  if (process.platform === 'linux')
    test('at a terminal each part is asked until it fits', async () => {
      await ask('form')
      const terminal = cli.atTerminal('answer', 'last')
      await terminal.until('How many guests?')
      terminal.type('20\r')
      await terminal.until('Enter a whole number')
      terminal.type('\u007f\u007f7\r')
      await terminal.until('On which day?')
      terminal.type('2026-12-24\r')
      await terminal.untilMenu(/Which dishes\?[\s\S]*◻ Cake/)
      terminal.type(' ')
      await terminal.until('◼ Soup')
      terminal.type('\r')
      await terminal.untilMenu(/Choose at least 2\.[\s\S]*◼ Soup[\s\S]*◻ Cake/)
      // Without colours a move draws nothing.
      terminal.type('\u001b[B ')
      await terminal.until('◼ Pasta')
      terminal.type('\r')
      const { code, out } = await terminal.ended
      assert.equal(code, 0)
      assert.match(out, /7 people · On which day\?: 2026-12-24 · Which dishes\?: /)
    })
})
