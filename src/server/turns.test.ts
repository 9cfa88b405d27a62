import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as loopTurn } from 'node:timers/promises'
import { turnLimits, turns } from './turns.ts'

describe('turns', () => {
  test('one caller after the other, however many one of them waits with', async () => {
    const queue = turns()
    const order: string[] = []
    const all = Array.from({ length: 40 }, () => queue.wait('many', false).then(() => order.push('many')))
    all.push(queue.wait('one', false).then(() => order.push('one')))
    await Promise.all(all)
    assert.equal(order.length, 41)
    assert.equal(order.indexOf('one') <= 1, true, order.slice(0, 5).join())
  })

  test('every second turn belongs to the owner', async () => {
    const queue = turns()
    const order: string[] = []
    const wait = (caller: string, isOwner: boolean): Promise<unknown> => queue.wait(caller, isOwner).then(() => order.push(caller))
    await Promise.all([
      ...Array.from({ length: 20 }, (_, n) => wait(`weak ${n}`, false)),
      ...Array.from({ length: 3 }, () => wait('owner', true)),
    ])
    assert.deepEqual(
      order.flatMap((caller, index) => (caller === 'owner' ? [index] : [])),
      [0, 2, 4],
    )
    assert.equal(order.length, 23)
  })

  test('no pause until much was written, and while no caller waits', async () => {
    const queue = turns()
    assert.equal(queue.isFree, true)
    const turn = queue.wait('any', false)
    assert.equal(queue.isFree, false)
    await turn
    assert.equal(queue.isFree, true)
    queue.written(turnLimits.pageBytesAtOnce * 10)
    assert.equal(queue.isFree, false)
  })

  test('the event loop goes on between pages', async () => {
    const queue = turns()
    let pages = 0
    let most = 0
    const readers = Array.from({ length: 5 }, async (_, reader) => {
      for (let n = 0; n < 100; n += 1) {
        await queue.wait(String(reader), false)
        pages += 1
      }
    })
    for (let before = 0; pages < 500; before = pages) {
      await loopTurn()
      most = Math.max(most, pages - before)
    }
    await Promise.all(readers)
    assert.equal(most <= 20, true, `${most} pages in one turn of the loop`)
  })
})
