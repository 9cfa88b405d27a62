import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { type Layout, protectionInside } from '../../authority/subjects/protected-paths.ts'
import { configSchema } from '../../app/config/schema.ts'
import { projectProtection } from './project-protection.ts'

const paths: Layout = {
  root: '/srv/work.tsk/project',
  hidden: ['/srv/work.tsk/project/var/data', '/srv/work.tsk/project/parley.yaml'],
  fixed: ['/srv/work.tsk/project/agents/ada.ts', '/srv/work.tsk/project/node_modules'],
  foldsCase: false,
}
const of = (name: string, more: Partial<Layout> = {}): string | null => protectionInside(name, { ...paths, ...more })

describe('protectionInside', () => {
  it('hides data, configuration, minds, task documents and secret files at any depth', () => {
    for (const name of [
      'var/data',
      'var/data/server.json',
      'parley.yaml',
      '.minds/team/ada/persona.md',
      'a/plan.tsk/goals.md',
      '.env',
      'a/.env.local',
      'a/.envrc',
      'tls/server.pem',
      'tls/server.key',
      'service-account-prod.json',
      '.npmrc',
      'a/.netrc',
      '.git-credentials',
      '.ssh/config',
      '.aws/credentials',
      '.config/gcloud/x',
      '.kube/config',
      '.ENV',
      'A/Plan.TSK',
      '.ſsh/id',
      '.\u212Aube/config',
    ])
      assert.equal(of(name), 'hidden', name)
  })

  it('fixes git folders, the code of agents and the libraries of the server', () => {
    for (const name of ['.git', '.git/hooks/pre-commit', 'sub/.git/config', 'agents/ada.ts', 'node_modules/x/index.js'])
      assert.equal(of(name), 'fixed', name)
  })

  it('leaves everything else open, also where a parent of the project has such a name', () => {
    for (const name of ['', 'src/a.ts', 'src/secrets.ts', 'agents/bob.ts', 'var/database', '.config/other', '.gitignore', 'keys.md'])
      assert.equal(of(name), null, name)
  })

  it('ignores the case of every name, also where the disk does not', () => {
    assert.equal(of('VAR/Data/x'), 'hidden')
    assert.equal(of('Agents/ADA.ts'), 'fixed')
  })

  it('judges each folder anew when one call follows another', () => {
    assert.deepEqual(
      ['.ssh/a', 'src/a', 'src/.ssh', 'src/b', 'b'].map((name) => of(name)),
      ['hidden', null, 'hidden', null, null],
    )
  })

  it('compares composed and decomposed letters as equal', () => {
    assert.equal(of('dät/x', { hidden: [join(paths.root, 'da\u0308t')] }), 'hidden')
  })
})

describe('projectProtection', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'parley-protect-')))
  after(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'real-data'))
  mkdirSync(join(root, 'plugins/weather'), { recursive: true })
  mkdirSync(join(root, 'node_modules'))
  symlinkSync('real-data', join(root, 'data'))
  writeFileSync(
    join(root, 'ada.ts'),
    `import { x } from './lib/x.ts'\nconst later = () => import('./later.js')\nconst notes = './notes.md'`,
  )
  mkdirSync(join(root, 'lib'))
  writeFileSync(join(root, 'lib/x.ts'), `export { y } from "./y"`)
  writeFileSync(join(root, 'lib/y.js'), '')
  writeFileSync(join(root, 'later.js'), '')
  writeFileSync(join(root, 'notes.md'), '')
  writeFileSync(join(root, 'bob.py'), '')
  writeFileSync(join(root, 'plugins/weather/index.js'), '')
  const config = configSchema.parse({
    team: {
      members: { ada: { runtime: 'scripted', module: 'ada.ts' }, bob: { runtime: 'command', command: ['python3', 'bob.py', '--x=1'] } },
    },
    plugins: { weather: { module: './plugins/weather' } },
  })
  const layout = projectProtection({ file: join(root, 'parley.yaml'), dataDir: join(root, 'data'), config })
  const inProject = (name: string): string | null => protectionInside(name, layout)

  it('hides the data folder in use under both of its names', () => {
    assert.deepEqual(['data/x', 'real-data/x', 'parley.yaml'].map(inProject), ['hidden', 'hidden', 'hidden'])
  })

  it('fixes modules with what they import, scripts, plugins and node_modules', () => {
    const fixed = ['ada.ts', 'lib/x.ts', 'lib/y.js', 'later.js', 'bob.py', 'plugins/weather/anything.js', 'node_modules/a']
    assert.deepEqual(
      fixed.filter((name) => inProject(name) !== 'fixed'),
      [],
    )
    assert.deepEqual(['notes.md', 'lib/z.ts'].map(inProject), [null, null])
  })
})
