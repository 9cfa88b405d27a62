import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type LocalFiles, localFiles, noLocalFiles } from './local-files.ts'

let dir: string
let project: string
let files: LocalFiles
const url = (...parts: string[]): string => pathToFileURL(join(project, ...parts)).href

before(() => {
  dir = mkdtempSync(join(tmpdir(), 'parley-files-'))
  project = join(dir, 'project')
  for (const folder of ['out', '.git', 'data']) mkdirSync(join(project, folder), { recursive: true })
  const contents = { 'out/chart.png': 'chart', '.env': 'KEY=1', '.git/config': 'x', 'data/secrets.env': 'KEY=1', 'out/empty.txt': '' }
  for (const [name, text] of Object.entries(contents)) writeFileSync(join(project, name), text)
  writeFileSync(join(dir, 'outside.txt'), 'x')
  symlinkSync(join(dir, 'outside.txt'), join(project, 'out', 'innocent.txt'))
  symlinkSync(join(project, '.env'), join(project, 'out', 'settings.txt'))
  symlinkSync(join(project, 'out', 'chart.png'), join(project, 'latest.png'))
  files = localFiles({ projectDir: project, dataDir: join(project, 'data') })
})
after(() => rmSync(dir, { recursive: true, force: true }))

test('a file of the project is read, under the name it was given', async () => {
  const got = await files.read(url('out', 'chart.png'))
  assert.deepEqual('bytes' in got && [Buffer.from(got.bytes).toString(), got.name], ['chart', 'chart.png'])
  const named = await files.read(`${url('out', 'chart.png')}#The%20chart.png`)
  assert.equal('bytes' in named && named.name, 'The chart.png')
  assert.equal(await files.check(url('latest.png')), null)
})

test('what lies outside, what is hidden and our own data stay here, also behind a link', async () => {
  const keptFiles = [
    url('..', 'outside.txt'),
    url('out', 'innocent.txt'),
    url('out', 'settings.txt'),
    url('.env'),
    url('.git', 'config'),
    url('data', 'secrets.env'),
    'file:///etc/hostname',
  ]
  for (const one of keptFiles) {
    assert.match(JSON.stringify(await files.check(one)), /not one of the project|not there/, one)
    assert.equal('problem' in (await files.read(one)), true, one)
  }
})

test('what is no file to send is said in words', async () => {
  assert.match(JSON.stringify(await files.check(url('out'))), /not a file/)
  assert.match(JSON.stringify(await files.check(url('out', 'empty.txt'))), /is empty/)
  assert.match(JSON.stringify(await files.check(url('none.png'))), /none\.png is not there/)
  assert.match(JSON.stringify(await files.check('file://elsewhere/share/x')), /cannot be read/)
  assert.match(JSON.stringify(await noLocalFiles.read(url('out', 'chart.png'))), /not sent from here/)
})
