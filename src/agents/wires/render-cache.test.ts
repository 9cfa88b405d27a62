import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PromptItem } from '../../dialogs/rules/prompt/prompt-items.ts'
import { RenderCache, renderCacheLimits } from './render-cache.ts'

const arrival = (text: string): PromptItem => ({ kind: 'arrival', arrival: { kind: 'message', from: 'Mia', text, at: 0, offset: 0 } })
const output = (text: string): PromptItem => ({ kind: 'output', parts: [{ type: 'words', text }] })
const toElements = (items: readonly PromptItem[]): object[] => items.map((item) => ({ item }))

function counted(): {
  cache: RenderCache
  ask: (items: PromptItem[], count: number, epoch?: number, rendering?: object) => string
  rendered: number[]
} {
  const cache = new RenderCache()
  const rendered: number[] = []
  return {
    cache,
    rendered,
    ask(items, count, epoch = 1, rendering = { wire: 'chat' }) {
      rendered.push(0)
      const part = cache.render({ dialog: 'd', epoch, rendering }, items, count, (some) => {
        rendered[rendered.length - 1] = some.length
        return toElements(some)
      })
      assert.deepEqual(
        part.texts,
        part.elements.map((element) => JSON.stringify(element)),
      )
      return part.texts.join(',')
    },
  }
}

const list = [arrival('a'), output('b'), arrival('c'), output('d'), arrival('e'), output('f')]
const whole = (items: readonly PromptItem[]): string =>
  toElements(items)
    .map((element) => JSON.stringify(element))
    .join(',')

test('RenderCache: a list that has grown renders only what was added', () => {
  const { ask, rendered } = counted()
  assert.equal(ask(list, 1), whole(list.slice(0, 1)))
  assert.equal(ask(list, 3), whole(list.slice(0, 3)))
  assert.equal(ask(list, 5), whole(list.slice(0, 5)))
  assert.equal(ask(list, 5), whole(list.slice(0, 5)))
  assert.deepEqual(rendered, [1, 2, 2, 0])
})

test('RenderCache: another epoch, another rendering or a list folded anew renders everything', () => {
  const { ask, rendered } = counted()
  ask(list, 3)
  const shortened = [arrival('short'), ...list.slice(1)]
  assert.equal(ask(shortened, 5, 2), whole(shortened.slice(0, 5)))
  ask(shortened, 5, 2, { wire: 'responses' })
  const anew = structuredClone(shortened)
  assert.equal(ask(anew, 5, 2, { wire: 'responses' }), whole(anew.slice(0, 5)))
  assert.equal(ask(anew, 3, 2, { wire: 'responses' }), whole(anew.slice(0, 3)), 'a shorter list')
  assert.deepEqual(rendered, [3, 5, 5, 5, 3])
})

test('RenderCache: keeps no more than its bounds', () => {
  const cache = new RenderCache()
  const long = [arrival('x'.repeat(renderCacheLimits.chars / 4)), output('y')]
  for (let dialog = 0; dialog < 20; dialog += 1) cache.render({ dialog: `d${dialog}`, epoch: 1, rendering: {} }, long, 1, toElements)
  assert.ok(cache.chars > 0 && cache.chars <= renderCacheLimits.chars, `${cache.chars} characters are kept`)
  const [one] = list
  assert.ok(one)
  for (let dialog = 0; dialog < 2 * renderCacheLimits.dialogs; dialog += 1)
    cache.render({ dialog: `e${dialog}`, epoch: 1, rendering: {} }, list, 1, toElements)
  assert.equal(cache.chars, renderCacheLimits.dialogs * whole([one]).length)
})
