import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Patient } from './finding.ts'
import { checkConfig } from './set-up.ts'

test('checkConfig: a mistake in people or policy is an error with its line and what follows from it', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'parley-doctor-'))
  try {
    const config = join(cwd, 'parley.yaml')
    writeFileSync(config, 'people:\n  mia: { role: ownr }\npolcy: { preset: locked }\n')
    const places = { config, data: join(cwd, '.parley'), exists: true }
    const { findings } = await checkConfig({ terminal: { cwd }, places, fix: false, env: {} } as unknown as Patient)
    assert.deepEqual(
      findings.map(({ level, what }) => `${level} ${what}`),
      ['error ./parley.yaml:3: polcy: the key "polcy" is not known. Did you mean "policy"?'],
    )
    writeFileSync(config, 'people:\n  mia: { role: ownr }\n')
    const [found] = (await checkConfig({ terminal: { cwd }, places, fix: false, env: {} } as unknown as Patient)).findings
    assert.match(found?.what ?? '', /^\.\/parley\.yaml:2: people\.mia\.role: it must be one of owner/)
    assert.match(found?.next ?? '', /a running server keeps its policy.*parley policy test/)
    writeFileSync(config, 'policy: { preset: workspace }\n')
    assert.deepEqual(
      (await checkConfig({ terminal: { cwd }, places, fix: false, env: {} } as unknown as Patient)).findings.map(({ level }) => level),
      ['ok'],
    )
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
})
