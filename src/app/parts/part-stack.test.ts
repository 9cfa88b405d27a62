import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Part, partStack } from './part-stack.ts'

function recorded(): { log: string[]; part(name: string, fails?: 'start' | 'stop'): Part<string> } {
  const log: string[] = []
  return {
    log,
    part: (name, fails) => ({
      name,
      start() {
        if (fails === 'start') throw new Error(`${name} does not start`)
        log.push(`start ${name}`)
        return name
      },
      stop(value, graceMs) {
        log.push(`stop ${value} ${graceMs}`)
        if (fails === 'stop') throw new Error(`${name} does not stop`)
      },
    }),
  }
}

test('partStack: starts in order and stops in reverse', async () => {
  const { log, part } = recorded()
  const stack = partStack()
  assert.equal(await stack.start(part('store')), 'store')
  await stack.start(part('server'))
  await stack.stop(7)
  assert.deepEqual(log, ['start store', 'start server', 'stop server 7', 'stop store 7'])
})

test('partStack: stops only what was started when a start fails half way', async () => {
  const { log, part } = recorded()
  const stack = partStack()
  await stack.start(part('store'))
  await assert.rejects(stack.start(part('server', 'start')), /server does not start/)
  await stack.stop(1)
  assert.deepEqual(log, ['start store', 'stop store 1'])
})

test('partStack: a part that fails to stop does not keep the others running', async () => {
  const { log, part } = recorded()
  const stack = partStack()
  await stack.start(part('store'))
  await stack.start(part('team', 'stop'))
  await stack.start(part('server'))
  await assert.rejects(stack.stop(1), /team does not stop/)
  assert.deepEqual(log.slice(3), ['stop server 1', 'stop team 1', 'stop store 1'])
  await stack.stop(1)
  assert.equal(log.length, 6, 'a second stop finds nothing to do')
})
