import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodeChoice } from './callback-data.ts'
import type { ControlState } from './control-record.ts'
import { type EndActions, endControls } from './end-controls.ts'
import type { EndChoice } from './labels.ts'
import { type EndStorage, memoryEndStorage } from './storage.ts'

class Crash extends Error {}

/** Dies before or after the n-th thing that touches the world, and stays dead. */
function crashing(storage: EndStorage, actions: EndActions, at: number) {
  let remaining = at
  const point = (): void => {
    if (at >= 0 && remaining-- <= 0) throw new Crash()
  }
  const around = async <T>(act: () => Promise<T>): Promise<T> => {
    point()
    const result = await act()
    point()
    return result
  }
  return {
    isDead: () => at >= 0 && remaining < 0,
    storage: { ...storage, put: (...given: Parameters<EndStorage['put']>) => around(() => storage.put(...given)) },
    actions: {
      answer: (...given: Parameters<EndActions['answer']>) => around(() => actions.answer(...given)),
      leaveRows: (...given: Parameters<EndActions['leaveRows']>) => around(() => actions.leaveRows(...given)),
    },
  }
}

const legal: Record<ControlState, ControlState[]> = {
  offered: ['offered', 'continued', 'stopped', 'superseded', 'expired'],
  unattached: ['unattached'],
  continued: ['continued'],
  stopped: ['stopped'],
  superseded: ['superseded'],
  expired: ['expired'],
}

type Step =
  | { does: 'reply' | 'reply-fails' | 'sweep' | 'pass-time' }
  | { does: 'type'; repeat: boolean }
  | { does: 'tap'; control: number; choice: EndChoice; by: 'asker' | 'stranger'; repeat: boolean; wrongMessage: boolean }
  | { does: 'forge'; control: number; choice: EndChoice }

const anySteps = {
  reply: { weight: 12, arbitrary: fc.constant<Step>({ does: 'reply' }) },
  'reply-fails': { weight: 2, arbitrary: fc.constant<Step>({ does: 'reply-fails' }) },
  sweep: { weight: 2, arbitrary: fc.constant<Step>({ does: 'sweep' }) },
  'pass-time': { weight: 2, arbitrary: fc.constant<Step>({ does: 'pass-time' }) },
  type: { weight: 6, arbitrary: fc.record({ does: fc.constant('type' as const), repeat: fc.boolean() }) },
  tap: {
    weight: 15,
    arbitrary: fc.record({
      does: fc.constant('tap' as const),
      control: fc.constantFrom(0, 0, 0, 1, 2),
      choice: fc.constantFrom<EndChoice>('continue', 'stop'),
      by: fc.constantFrom('asker' as const, 'asker' as const, 'stranger' as const),
      repeat: fc.boolean(),
      wrongMessage: fc.constantFrom(false, false, false, true),
    }),
  },
  forge: {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('forge' as const),
      control: fc.nat(3),
      choice: fc.constantFrom<EndChoice>('continue', 'stop'),
    }),
  },
} satisfies Record<Step['does'], { weight: number; arbitrary: fc.Arbitrary<Step> }>
const step: fc.Arbitrary<Step> = fc.oneof(...Object.values(anySteps))

test('any order of taps, texts, replies, crashes and repetitions ends in a legal state', async (t) => {
  let crashes = 0
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), fc.array(fc.nat(20), { maxLength: 6 }), async (steps, crashAt) => {
      const kept = memoryEndStorage()
      const notices: string[] = []
      const noActions: EndActions = { answer: async () => {}, leaveRows: async () => {} }
      const plan = [...crashAt]
      let time = 1_000
      const fresh = () => {
        const { storage, actions, isDead } = crashing(kept, noActions, plan.shift() ?? -1)
        return Object.assign(
          { isDead },
          endControls({
            key: 'k',
            account: '1',
            channel: 'telegram',
            storage,
            actions,
            now: () => time,
            expireAfterMs: 100,
            onEndChoice: ({ id }) => void notices.push(id),
          }),
        )
      }
      let controls = fresh()
      let update = 100
      let message = 10
      const made: { id: string; message: string }[] = []
      const before = new Map<string, ControlState>()
      const readControls = async () => (await kept.get('c'))?.controls

      const act = async (one: Step): Promise<void> => {
        switch (one.does) {
          case 'reply':
          case 'reply-fails': {
            const turn = String(update)
            const { id } = await controls.prepare({ conversation: 'c', session: 's', turn, replyId: turn, chat: '7', asker: '7' })
            message += 1
            made.push({ id, message: String(message) })
            if (one.does === 'reply') await controls.offered('c', id, String(message))
            else await controls.unattached('c', id, String(message))
            return
          }
          case 'type':
            if (!one.repeat) update += 1
            return controls.typed('c', { update, text: 'hello' })
          case 'sweep':
            return controls.sweep()
          case 'pass-time':
            time += 60
            return
          case 'tap': {
            const target = made.at(-1 - one.control)
            if (!target) return
            if (!one.repeat) update += 1
            const data = encodeChoice({ key: 'k', account: '1', chat: '7' }, target.id, one.choice)
            const asItWas = await readControls()
            const outcome = await controls.tapped({
              conversation: 'c',
              chat: '7',
              update,
              query: `q${update}`,
              by: one.by === 'asker' ? '7' : '9',
              data,
              message: one.wrongMessage ? '99999' : target.message,
            })
            if (outcome === 'accepted') accepted += 1
            if (one.by === 'stranger' && outcome !== 'duplicate') assert.deepEqual(await readControls(), asItWas)
            return
          }
          case 'forge': {
            const target = made.at(-1 - one.control)
            const data = encodeChoice({ key: 'guess', account: '1', chat: '7' }, target?.id ?? 'AAAAAAAAAAAAAAAA', one.choice)
            const asItWas = await readControls()
            update += 1
            assert.equal(
              await controls.tapped({
                conversation: 'c',
                chat: '7',
                update,
                query: `q${update}`,
                by: '7',
                data,
                message: target?.message ?? '1',
              }),
              'forged',
            )
            assert.deepEqual(await readControls(), asItWas)
          }
        }
      }

      for (const one of steps) {
        await controls.idle()
        try {
          await act(one)
        } catch (error) {
          if (!(error instanceof Crash)) throw error
        }
        await controls.idle()
        if (controls.isDead()) {
          crashes += 1
          controls = fresh()
        }
        const now = await readControls()
        const records = now?.records ?? []
        assert.ok(records.filter(({ state }) => state === 'offered').length <= 1)
        for (const { id, state } of records) {
          const last = before.get(id)
          if (last) assert.ok(legal[last].includes(state), `${last} became ${state}`)
          before.set(id, state)
        }
      }
      // Whatever a crash left undone is done after a restart, and every choice was told.
      await controls.idle()
      const last = endControls({
        key: 'k',
        account: '1',
        channel: 'telegram',
        storage: kept,
        actions: noActions,
        now: () => time,
        onEndChoice: ({ id }) => void notices.push(id),
      })
      await last.sweep()
      const end = await readControls()
      assert.deepEqual(end?.effects ?? [], [])
      for (const { id, state } of end?.records ?? []) {
        assert.equal(notices.includes(id), state === 'continued' || state === 'stopped')
      }
    }),
    { numRuns: 400 },
  )
  t.diagnostic(`${crashes} crashes, ${accepted} accepted taps`)
  assert.ok(crashes > 20 && accepted > 20)
})
