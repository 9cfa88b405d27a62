import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { Launcher } from '../sandbox/launcher.ts'
import { unconfined } from '../sandbox/test/unconfined.ts'
import { startProgram } from './started-program.ts'

/** A sandbox whose shell ends with this code. */
const endingWith = (code: number): Launcher =>
  ({
    launch: async () => ({
      child: { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() },
      env: {},
      ended: Promise.resolve({ code, killedBy: null }),
      blockedHosts: () => [],
      end: () => {},
    }),
    close: async () => {},
  }) as unknown as Launcher

async function over(code: number, stderr: string): Promise<void> {
  const options = { ...unconfined(), command: ['claude', '-p'], launcher: endingWith(code) }
  const program = await startProgram(options, { variables: {}, timeoutSeconds: 5, signal: new AbortController().signal })
  await program.over(() => stderr).finally(() => program.letGo())
}

test('startProgram: a program that the shell of the sandbox cannot find is missing; one that ends with 127 itself has failed', async () => {
  await assert.rejects(over(127, 'bash: line 6: exec: claude: not found'), { code: 'command_missing' })
  await assert.rejects(over(127, 'sh: 1: helper: not found'), { code: 'command_failed' })
  await assert.rejects(over(1, 'bash: line 6: exec: claude: not found'), { code: 'command_failed' })
  await over(0, '')
})

test('startProgram: output of a program that ended before the first read is whole', async () => {
  const options = { ...unconfined(), command: ['printf', 'all of it'] }
  const program = await startProgram(options, { variables: {}, timeoutSeconds: 5, signal: new AbortController().signal })
  await new Promise((resolve) => program.child.once('exit', resolve))
  await new Promise(setImmediate)
  let output = ''
  for await (const chunk of program.child.stdout) output += String(chunk)
  await program.over(() => '').finally(() => program.letGo())
  assert.equal(output, 'all of it')
})
