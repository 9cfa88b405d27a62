import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { configSchema } from '../../app/config/schema.ts'
import { checkModelPrograms } from './model-programs.ts'

test('checkModelPrograms: names each grant that a model command line lacks, with the setting', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-doctor-'))
  for (const name of ['claude', 'mine']) {
    writeFileSync(join(folder, name), '#!/bin/sh\n')
    chmodSync(join(folder, name), 0o755)
  }
  const check = async (member: object, env: Record<string, string> = {}, more: object = {}): Promise<string[]> => {
    const config = configSchema.parse({ team: { members: { ada: { runtime: 'command', builds: 'plain', ...member } } }, ...more })
    return (await checkModelPrograms({ env: { PATH: folder, ...env } }, config)).map(({ level, what, next }) =>
      `${level}: ${what} ${next ?? ''}`.trim(),
    )
  }
  assert.deepEqual(await check({ command: ['claude'] }), [
    'warning: @ada: without a terminal this program needs other arguments. Set team.members.ada.command to [claude, -p].',
    'error: @ada cannot reach api.anthropic.com from the sandbox. Add api.anthropic.com to team.members.ada.hosts.',
    'error: @ada is given no key: its home folder in the sandbox is empty. Add ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN to team.members.ada.env.',
  ])
  const granted = { command: ['claude', '-p'], hosts: ['*.anthropic.com:443'], env: ['ANTHROPIC_API_KEY'] }
  assert.deepEqual(await check(granted), [
    'error: @ada: ANTHROPIC_API_KEY is not set where the server runs. Set ANTHROPIC_API_KEY, then start the server again.',
  ])
  assert.deepEqual(await check(granted, { ANTHROPIC_API_KEY: 'k' }), ['ok: @ada builds with the plain replies of claude.'])
  assert.deepEqual(await check({ ...granted, hosts: [] }, { ANTHROPIC_API_KEY: 'k' }, { sandbox: 'off' }), [
    'ok: @ada builds with the plain replies of claude.',
  ])
  assert.deepEqual(await check({ command: ['codex', 'exec', '-'] }), [
    'error: @ada: there is no program codex on the PATH of the server. Install it, or correct team.members.ada.command.',
  ])
  assert.deepEqual(await check({ command: ['mine'] }), ['ok: @ada builds with the plain replies of mine.'])
  assert.deepEqual(await check({ command: ['claude'], builds: 'events' }), [])
  rmSync(folder, { recursive: true, force: true })
})
