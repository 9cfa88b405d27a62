import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ParleyError } from '../../errors.ts'
import type { GenerationInput } from '../../ports/agent-runtime.ts'
import { toOutputs, sampleInput, toWords } from '../../testing/agent-contract.ts'
import { unconfined } from '../sandbox/test/unconfined.ts'
import { type CommandOptions, commandRuntime } from './command.ts'

const node = (script: string): string[] => [process.execPath, '-e', script]
const never = (): AbortSignal => new AbortController().signal

const generate = (script: string, more: Partial<CommandOptions> = {}, input: GenerationInput = sampleInput): ReturnType<typeof toOutputs> =>
  toOutputs(commandRuntime({ command: node(script), ...unconfined(), ...more }).generate(input, never()))

async function failure(script: string, more: Partial<CommandOptions> = {}): Promise<ParleyError> {
  const error = await generate(script, more).then(
    () => assert.fail('it did not fail'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ParleyError, String(error))
  return error
}

/** Waits until the process group is gone; fails at the time limit of the test. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

describe('an agent that is a program', () => {
  it('reads the latest words, or everything as JSON', async () => {
    const echo = `process.stdin.pipe(process.stdout)`
    assert.equal(toWords(await generate(echo)), 'Hello')
    const [output] = await generate(
      `let text = ''; process.stdin.on('data', (d) => (text += d)).on('end', () => console.log(JSON.parse(text).context[0].text, JSON.parse(text).dialog))`,
      { input: 'json' },
    )
    assert.deepEqual(output, { type: 'delta', text: 'Hello d_1' })
  })

  it('knows where it is by its environment, without the secret of the server', async () => {
    const script = `console.log([process.env.PARLEY_DIALOG, process.env.PARLEY_AGENT, process.env.PARLEY_TURN, process.env.PARLEY_SECRET].join())`
    assert.equal(toWords(await generate(script, unconfined({ PATH: process.env.PATH, PARLEY_SECRET: 'x' }))), 'd_1,ada,1,')
  })

  it('is told as failed with its last words, without secrets', async () => {
    const error = await failure(
      `console.error('first'); console.error('\\u001b[31mno access with ' + process.env.MY_API_KEY + '\\u001b[0m'); process.exit(4)`,
      unconfined({ ...process.env, MY_API_KEY: 'tell-nobody' }),
    )
    assert.deepEqual([error.code, error.details.status, error.details.why], ['command_failed', 'code 4', 'first · no access with •••'])
  })

  it('is told as missing, as silent, as ended by a signal', async () => {
    const missing = commandRuntime({ command: ['no-such-program-here'], ...unconfined() })
    await assert.rejects(toOutputs(missing.generate(sampleInput, never())), (error: ParleyError) => error.code === 'command_missing')
    assert.match((await failure('')).message, /it said nothing/)
    assert.match((await failure(`process.kill(process.pid, 'SIGKILL')`)).message, /signal SIGKILL/)
  })

  it('is ended with all it started when its time is over', async () => {
    const script = `
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
      console.log(process.pid + ' ' + child.pid)
      setInterval(() => {}, 1000)`
    let pids: number[] = []
    await assert.rejects(
      async () => {
        for await (const output of commandRuntime({ command: node(script), ...unconfined(), timeoutSeconds: 0.5 }).generate(
          sampleInput,
          never(),
        )) {
          if (output.type === 'delta') pids = output.text.split(' ').map(Number)
        }
      },
      (error: ParleyError) => error.code === 'command_timeout',
    )
    assert.equal(pids.length, 2)
    for (const pid of pids) await gone(pid)
  })

  it('does not outlive a stop, even if it will not listen', async () => {
    const stop = new AbortController()
    let pid = 0
    await assert.rejects(async () => {
      for await (const output of commandRuntime({
        command: node(`process.on('SIGTERM', () => {}); console.log(process.pid); setInterval(() => {}, 1000)`),
        ...unconfined(),
      }).generate(sampleInput, stop.signal)) {
        if (output.type === 'delta') pid = Number(output.text)
        stop.abort(new Error('stopped'))
      }
    }, /stopped/)
    await gone(pid)
  })

  it('may leave something behind that holds its output open, and the reply still ends', async () => {
    const outputs = await generate(`
      require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }).unref()
      console.log('done')`)
    assert.equal(toWords(outputs), 'done')
  })

  it('is ended when it writes too much', async () => {
    const error = await failure(`const block = 'x'.repeat(60_000); const more = () => process.stdout.write(block, more); more()`, {
      maxOutputBytes: 200_000,
    })
    assert.deepEqual([error.code, error.details.limit], ['command_flooded', 200_000])
  })

  it('need not read what it is given', async () => {
    const input = { ...sampleInput, context: [{ kind: 'human' as const, text: 'x'.repeat(1_000_000), by: 'me' }] }
    assert.equal(toWords(await generate(`console.log('no thanks')`, {}, input)), 'no thanks')
  })
})
