import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { layout } from '../test/samples.ts'
import { absolutePath, pathSubject } from './paths.ts'
import type { Protection } from './subject.ts'

const getSubject = (access: 'read' | 'write', path: string, real?: string | null, hardLinks = 1) =>
  pathSubject({ access, path }, layout, (absolute) => ({ real: real === undefined ? absolute : real, hardLinks }))

const protection = (access: 'read' | 'write', path: string, real?: string): Protection | null =>
  getSubject(access, path, real).subject.protection ?? null

describe('pathSubject', () => {
  it('names the file as given and as it really is', () => {
    assert.deepEqual(getSubject('read', './src//a/../b.ts').subject.names, [{ inside: 'src/b.ts', absolute: '/project/src/b.ts' }])
    assert.deepEqual(getSubject('read', 'link', '/etc/passwd').subject.names, [
      { inside: 'link', absolute: '/project/link' },
      { inside: null, absolute: '/etc/passwd' },
    ])
    assert.deepEqual(getSubject('read', '.').subject.names, [{ inside: '', absolute: '/project' }])
    assert.deepEqual(getSubject('read', '../x').subject.names, [{ inside: null, absolute: '/x' }])
    assert.deepEqual(getSubject('read', '/projectile/x').subject.names[0]?.inside, null)
  })

  it('brings names into one form of Unicode', () => {
    assert.equal(getSubject('read', 'cafe\u0301').subject.names[0]?.inside, 'caf\u00e9')
  })

  it('is unsure about a second name of a file that is written, and about paths that cannot be followed', () => {
    assert.deepEqual(getSubject('write', 'a', undefined, 2).unsure, [{ why: 'hard-link', detail: 'a' }])
    assert.deepEqual(getSubject('read', 'a', undefined, 2).unsure, [])
    assert.deepEqual(getSubject('read', 'loop', null).unsure, [{ why: 'path', detail: 'loop' }])
  })

  it('never leads above the root by dots', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('..', '.', 'a', 'b', ''), { maxLength: 10 }), (parts) => {
        assert.ok(!absolutePath(parts.join('/'), '/project').includes('..'))
      }),
    )
  })
})

describe('protected paths', () => {
  const hidden = [
    'data',
    'data/server.json',
    'DATA/x',
    'parley.yaml',
    'Parley.YAML',
    'x/.minds/a',
    'plan.tsk/goals.md',
    '.env',
    '.env.local',
    'x/.ENV',
    'a.pem',
    'tls/server.key',
    'service-account-1.json',
    '.npmrc',
    '.netrc',
    '.git-credentials',
    '.ssh/id',
    '.aws/credentials',
    '.config/gcloud/x',
    '.kube/config',
    '.env. ',
    '.env::$DATA',
    '\uFF0Eenv',
    'id_rsa',
  ]
  for (const path of hidden)
    it(`${path} is hidden`, () => {
      assert.equal(protection('read', path), 'hidden')
      assert.equal(protection('write', path), 'hidden')
    })

  for (const path of ['.git/config', '.git/hooks/x', '.GIT/x', 'sub/.git/HEAD', 'agents/booker.ts', 'node_modules/x/index.js'])
    it(`${path} is fixed`, () => assert.equal(protection('write', path), 'fixed'))

  for (const path of [
    'src/a.ts',
    'environment.ts',
    'keys.ts',
    'database/x',
    'agents/booker.tsx',
    '.gitignore',
    '.config/other',
    'service-account.ts',
  ])
    it(`${path} is open`, () => assert.equal(protection('write', path), null))

  it('a link counts by both names', () => {
    assert.equal(protection('read', 'notes', '/project/.env'), 'hidden')
    assert.equal(protection('read', '.env', '/project/notes'), 'hidden')
  })
})
