// needs: sandbox
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { ParleyError } from '../../errors.ts'
import { agentContract, toOutputs, sampleInput, toWords } from '../../testing/agent-contract.ts'
import { commandRuntime } from '../runtimes/command.ts'
import { sandboxLauncher } from './sandbox.ts'
import { confined } from './test/confined.ts'
import { programSubject } from './test/program-subject.ts'

const outside = realpathSync(mkdtempSync(join(tmpdir(), 'parley-programs-')))
const project = join(outside, 'project')
mkdirSync(join(project, '.parley'), { recursive: true })
mkdirSync(join(outside, 'package/lib'), { recursive: true })
writeFileSync(join(project, 'parley.yaml'), '')
writeFileSync(join(outside, 'package/package.json'), '{ "type": "module" }')
writeFileSync(join(outside, 'package/.env'), 'SECRET')
writeFileSync(join(outside, 'package/lib/words.js'), `export const words = 'from a library'`)
writeFileSync(
  join(outside, 'package/agent.js'),
  `import { words } from './lib/words.js'
import { readFileSync, writeFileSync } from 'node:fs'
const attempt = (act) => { try { return act() } catch (error) { return error.code } }
console.log([words, attempt(() => readFileSync(new URL('.env', import.meta.url), 'utf8')), attempt(() => writeFileSync(new URL('x', import.meta.url), '')), attempt(() => writeFileSync('written', ''))].join())`,
)
after(() => rmSync(outside, { recursive: true }))

const run = async (command: string[], env?: NodeJS.ProcessEnv): Promise<string> =>
  toWords(
    await toOutputs(
      commandRuntime({ command, ...confined(project, env === undefined ? {} : { env }) }).generate(
        sampleInput,
        new AbortController().signal,
      ),
    ),
  )

describe('the agent contract on a program in the sandbox', { timeout: 60_000 }, () => {
  for (const { id, behaviour, run: check } of agentContract) it(`${id}: ${behaviour}`, () => check(programSubject(confined(project))))
})

describe('a program in the sandbox', { timeout: 60_000 }, () => {
  it('is found by name, by path and by the Node of the server', async () => {
    assert.equal(await run(['sh', '-c', 'echo by name']), 'by name')
    assert.equal(await run(['/bin/sh', '-c', 'echo by path']), 'by path')
    assert.equal(await run([process.execPath, '-p', 'process.execPath']), process.execPath)
    assert.equal(await run(['node', '-p', '1 + 1'], { PATH: '/usr/bin:/bin' }), '2')
  })

  it('can read its script and the package around it, not its secrets, and writes in its own folder only', async () => {
    assert.equal(await run([process.execPath, join(outside, 'package/agent.js')]), 'from a library,EACCES,EROFS,')
    assert.ok(existsSync(join(project, 'written')))
  })

  it('finds the packages that it was installed with, beside it and inside it', async () => {
    const packages = join(outside, 'lib/node_modules')
    const program = join(packages, '@made-up/cli/bin/cli.js')
    for (const [folder, words] of [
      ['beside', 'beside it'],
      ['@made-up/cli/node_modules/inside', 'inside it'],
    ] as const) {
      mkdirSync(join(packages, folder), { recursive: true })
      writeFileSync(join(packages, folder, 'package.json'), '{ "main": "index.js" }')
      writeFileSync(join(packages, folder, 'index.js'), `module.exports = ${JSON.stringify(words)}`)
    }
    mkdirSync(join(packages, '@made-up/cli/bin'))
    writeFileSync(program, `#!/usr/bin/env node\nconsole.log(require('beside') + ', ' + require('inside'))`, { mode: 0o755 })
    mkdirSync(join(outside, 'bin'))
    symlinkSync(program, join(outside, 'bin/made-up'))
    assert.equal(await run(['made-up'], { PATH: `${join(outside, 'bin')}:${process.env['PATH']}` }), 'beside it, inside it')
  })

  it('gets the common variables, its own and PYTHONUNBUFFERED, and no others', async () => {
    const names = await run(['sh', '-c', 'env | cut -d= -f1 | sort | tr "\\n" " "'], {
      PATH: process.env['PATH'],
      LANG: 'C',
      LC_TIME: 'C',
      DATABASE_URL: 'x',
      PARLEY_SECRET: 'x',
      PARLEY_TOKEN: 'x',
    })
    assert.deepEqual(
      names
        .trim()
        .split(' ')
        .filter((name) => !['_', 'PWD', 'SHLVL', 'OLDPWD'].includes(name)),
      'HOME LANG LC_TIME PARLEY_AGENT PARLEY_DIALOG PARLEY_GENERATION PARLEY_LANGUAGE PARLEY_TURN PATH PYTHONUNBUFFERED TMPDIR'.split(' '),
    )
    assert.equal(await run(['sh', '-c', 'echo $HOME $TMPDIR; ls -A $HOME']), '/tmp/home /tmp')
    assert.equal(await run(['sh', '-c', `ls ${homedir()} 2>/dev/null || echo no home`]), 'no home')
  })

  it('is told as missing when it is not in the sandbox', async () => {
    await assert.rejects(run(['no-such-program-here']), (error: ParleyError) => error.code === 'command_missing')
  })

  it('is not started with a bubblewrap from a folder of an agent, or on Windows', async () => {
    mkdirSync(join(project, 'bin'), { recursive: true })
    writeFileSync(join(project, 'bin/bwrap'), '#!/bin/sh\ntouch fooled\n', { mode: 0o755 })
    await assert.rejects(run(['true'], { PATH: join(project, 'bin') }), (error: ParleyError) => error.code === 'sandbox_unavailable')
    assert.ok(!existsSync(join(project, 'fooled')))
    const { cwd, confinement } = confined(project)
    const launcher = sandboxLauncher({
      mode: 'on',
      env: () => process.env,
      clock: { now: Date.now, after: () => () => {} },
      platform: 'win32',
    })
    await assert.rejects(
      launcher.launch({ command: ['true'], cwd, variables: {}, stdin: 'ignore', confinement }),
      (error: ParleyError) => error.code === 'sandbox_unavailable',
    )
  })

  it('does not start when bubblewrap fails', async () => {
    const broken = join(outside, 'broken')
    mkdirSync(broken)
    writeFileSync(join(broken, 'bwrap'), '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n', { mode: 0o755 })
    await assert.rejects(
      run(['true'], { PATH: `${broken}:${process.env['PATH']}` }),
      /sandbox is not available \(bubblewrap failed: No permissions/,
    )
  })
})
