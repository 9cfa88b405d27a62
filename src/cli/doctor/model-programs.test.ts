import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { configSchema } from '../../app/config/schema.ts'
import { checkModelPrograms } from './model-programs.ts'

test('checkModelPrograms: names each grant that a model command line lacks, with the setting', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-doctor-'))
  for (const name of ['claude', 'codex', 'mine']) {
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
  assert.deepEqual(await check({ command: ['absent'] }), [
    'error: @ada: there is no program absent on the PATH of the server. Install it, or correct team.members.ada.command.',
  ])
  const elsewhere = { ...granted, env: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'] }
  assert.deepEqual(await check(elsewhere, { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'https://models.example.org/a' }), [
    'error: @ada cannot reach models.example.org from the sandbox. Add models.example.org to team.members.ada.hosts.',
  ])
  const codex = ['codex', 'exec', '-c', 'openai_base_url="https://models.example.org/v1"', '-']
  assert.deepEqual(await check({ command: codex, hosts: ['models.example.org:443'], env: ['OPENAI_API_KEY'] }), [
    'error: @ada is given no key: its home folder in the sandbox is empty. Add CODEX_API_KEY to team.members.ada.env.',
  ])
  assert.deepEqual(await check({ command: codex, hosts: ['models.example.org'], env: ['CODEX_API_KEY'] }, { CODEX_API_KEY: 'k' }), [
    'ok: @ada builds with the plain replies of codex.',
  ])
  const own = { command: ['codex', 'exec', '-'], env: ['CODEX_API_KEY', 'CODEX_HOME'] }
  assert.deepEqual(await check({ ...own, hosts: ['models.example.org'] }, { CODEX_API_KEY: 'k' }), [
    'ok: @ada builds with the plain replies of codex.',
  ])
  assert.deepEqual(await check(own, { CODEX_API_KEY: 'k' }), [
    'error: @ada cannot reach api.openai.com from the sandbox. Add api.openai.com to team.members.ada.hosts.',
  ])
  assert.deepEqual(await check({ command: ['mine'] }), ['ok: @ada builds with the plain replies of mine.'])
  assert.deepEqual(await check({ command: ['claude'], builds: 'events' }), [])
  rmSync(folder, { recursive: true, force: true })
})
