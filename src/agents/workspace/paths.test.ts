import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join, relative } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { directoryRules } from './directory-rules.ts'
import { globPattern } from './glob.ts'
import { placeInside } from './inside.ts'
import { protectionOfNames } from './test/protection-of-names.ts'

const outer = mkdtempSync(join(tmpdir(), 'parley-paths-'))
const root = join(outer, 'project')
mkdirSync(join(root, 'src/deep'), { recursive: true })
mkdirSync(join(root, '.minds'))
mkdirSync(join(root, 'plan.tsk'))
mkdirSync(join(outer, 'elsewhere'))
writeFileSync(join(root, 'src/a.ts'), '')
writeFileSync(join(outer, 'elsewhere/secret'), '')
symlinkSync('../elsewhere', join(root, 'out'))
symlinkSync('../../elsewhere/not-yet', join(root, 'src/dangling'))
symlinkSync('src', join(root, 'in'))
symlinkSync('.minds', join(root, 'minds'))
symlinkSync('loop', join(root, 'loop'))

const isInside = (path: string): boolean => {
  const name = relative(realpathSync(root), path)
  return name !== '..' && !name.startsWith('../') && !isAbsolute(name)
}

/** Paths that try hard: every piece that has ever led somewhere it should not. */
const piece = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    '',
    'src',
    'deep',
    'a.ts',
    'out',
    'in',
    'minds',
    'loop',
    'dangling',
    '.minds',
    '.MINDS',
    'plan.tsk',
    'Plan.TSK',
    '.env',
    '~',
    '...',
    '.. ',
    '..\\',
    '%2e%2e',
    '\u0000',
    'c:',
    '․․',
    '.git',
    'new',
  ),
  fc.string({ maxLength: 6 }),
)
const path = fc
  .array(piece, { minLength: 1, maxLength: 7 })
  .chain((parts) => fc.constantFrom('', '/', './', '//').map((start) => start + parts.join('/')))

describe('paths', () => {
  after(() => rmSync(outer, { recursive: true }))

  it('never lead out of the project, whatever is asked', () => {
    fc.assert(
      fc.property(path, (asked) => {
        let place
        try {
          place = placeInside(root, asked)
        } catch (error) {
          assert.ok(error instanceof Error && error.message.length > 5)
          return
        }
        assert.ok(isInside(place.path), `${asked} led to ${place.path}`)
        assert.ok(!place.name.split('/').includes('..'))
      }),
      { numRuns: 3_000 },
    )
  })

  it('never lead file tools to what is closed, by any name [taskdoc:encapsulated]', () => {
    const rules = directoryRules(root, { writeDirs: ['**'] }, protectionOfNames(root, ['parley.yaml']))
    fc.assert(
      fc.property(path, fc.constantFrom('read' as const, 'write' as const), (asked, access) => {
        let place
        try {
          place = rules.enter(asked, access)
        } catch {
          return
        }
        assert.ok(isInside(place.path))
        assert.ok(!/(^|\/)(\.minds|\.env)(\/|$)|\.tsk(\/|$)/i.test(place.name), `${asked} led to ${place.name}`)
        assert.ok(access === 'read' || !/(^|\/)\.git(\/|$)/i.test(place.name), `${asked} led to ${place.name}`)
      }),
      { numRuns: 3_000 },
    )
  })

  it('are refused in words, and taken where they are plain', () => {
    const refused = (asked: string, why: RegExp): void => assert.throws(() => placeInside(root, asked), why, asked)
    refused('', /empty/)
    refused('../x', /"\.\."/)
    refused('src/../../x', /"\.\."/)
    refused('/etc/passwd', /not relative/)
    refused('~/x', /not relative/)
    refused('out/secret', /leads out/)
    refused('src/dangling', /leads nowhere/)
    refused('src/dangling/x', /leads nowhere/)
    refused('loop', /cannot be followed/)
    refused('src/a.ts/x', /is a file/)
    refused('a\u202eb', /characters/)
    assert.equal(placeInside(root, 'in/a.ts').name, 'src/a.ts')
    assert.equal(placeInside(root, './src//new/file.md').name, 'src/new/file.md')
    assert.equal(placeInside(root, '.').name, '')
  })

  it('follow the rules of the member, and the hard ones before them', () => {
    const rules = directoryRules(
      root,
      { readDirs: ['src/**', 'notes'], noReadDirs: ['src/deep'], writeDirs: ['src/*.md'], noWriteDirs: ['src/no*'] },
      protectionOfNames(root, ['data', 'parley.yaml']),
    )
    const open = ['src', 'src/a.ts', 'src/.hidden', 'notes/x/y', 'notes']
    const closed = [
      '',
      'srcs/a',
      'src/deep',
      'src/deep/x',
      'README.md',
      'src/.env',
      'src/.env.local',
      'src/id_rsa',
      'src/server.pem',
      'src/x.tsk/goals.md',
      'src/SECRETS.yaml',
    ]
    assert.deepEqual([open.filter((name) => !rules.isOpen(name, 'read')), closed.filter((name) => rules.isOpen(name, 'read'))], [[], []])
    assert.deepEqual(
      ['src/a.md', 'src/notes.md', 'src/a.ts', 'src/deep/a.md', 'notes/a.md'].filter((name) => rules.isOpen(name, 'write')),
      ['src/a.md'],
    )
    const all = directoryRules(root, { readDirs: ['**'], writeDirs: ['**'] }, protectionOfNames(root, ['data', 'parley.yaml']))
    assert.deepEqual(
      ['.minds/x', '.parley/x', 'data/parley.db', 'parley.yaml', 'PARLEY.yaml', 'a/.ssh/x'].filter((name) => all.isOpen(name, 'write')),
      [],
    )
    assert.throws(() => all.enter('minds/diligence.md', 'read'), /^Error: minds\/diligence\.md is protected\.$/)
    assert.throws(() => directoryRules(root, {}, protectionOfNames(root)).enter('src/a.ts', 'write'), /writeDirs is not set/)
  })

  it('globs fit as they read', () => {
    const fits = (glob: string, name: string): boolean => globPattern(glob).test(name)
    for (const [glob, yes, no] of [
      ['*', ['a', '.a'], ['a/b']],
      ['**', ['a', 'a/b', '.a/.b'], []],
      ['a/**', ['a', 'a/b/c'], ['ab']],
      ['**/x.md', ['x.md', 'a/b/x.md'], ['ax.md']],
      ['a/**/b', ['a/b', 'a/c/d/b'], ['ab']],
      ['*.{ts,md}', ['a.ts', 'b.md'], ['a.tsx']],
      ['a?c', ['abc'], ['ac', 'a/c']],
      ['./a.b(c)+', ['a.b(c)+'], ['aXb(c)+']],
    ] as [string, string[], string[]][]) {
      assert.deepEqual([yes.filter((name) => !fits(glob, name)), no.filter((name) => fits(glob, name))], [[], []], glob)
    }
  })

  it('no glob is ever too odd to be read', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (glob, name) => typeof globPattern(glob, { andBelow: true }).test(name) === 'boolean'))
  })
})
