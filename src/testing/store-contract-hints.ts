import assert from 'node:assert/strict'
import type { StoredEvent } from '../ports/store.ts'
import { accepted, claimOne, eventually, insist, say, seqs, wake, words, type StoreCase } from './store-contract-units.ts'

export const hintCases: readonly StoreCase[] = [
  {
    id: 'hints:stream-here',
    behaviour: 'a listener is told of a commit of its own connection, with the events',
    async run({ open }) {
      const store = await open()
      const notices: string[] = []
      store.hints.onStream((stream, head, events) => notices.push(`${stream} ${head} ${words(events ?? []).join()}`))
      await store.commit([say('s', 0, 'a'), say('t', 0, 'b'), say('s', 1, 'c'), say('s', 9, 'no')])
      assert.deepEqual(notices.toSorted(), ['s 2 a,c', 't 1 b'])
    },
  },
  {
    id: 'hints:stream-there',
    behaviour: 'a listener is told of a commit of another connection',
    async run(subject) {
      const [listening, writing] = [await subject.open(), await subject.open()]
      const heads = new Map<string, number>()
      listening.hints.onStream((stream, head) => heads.set(stream, head))
      await accepted(writing, say('s', 0, 'a', 'b'))
      await accepted(writing, say('t', 0, 'c'))
      await eventually(subject, 'hints of both streams', () => heads.get('s') === 2 && heads.get('t') === 1)
    },
  },
  {
    id: 'hints:work-here',
    behaviour: 'a listener is told which kinds of work were woken or given back',
    async run({ open }) {
      const store = await open()
      const messages: string[] = []
      store.hints.onWork((kind) => messages.push(kind))
      await accepted(store, {
        wake: [
          { kind: 'turn', key: 'a', at: 0 },
          { kind: 'timer', key: 'a', at: 9e15 },
        ],
      })
      assert.deepEqual(messages.splice(0).toSorted(), ['timer', 'turn'])
      const lease = await claimOne(store)
      await accepted(store, { lease, settle: { retryAt: 0 } })
      assert.deepEqual(messages, ['turn'])
    },
  },
  {
    id: 'hints:work-there',
    behaviour: 'a listener is told of work another connection woke, also for later',
    async run(subject) {
      const [listening, writing] = [await subject.open(), await subject.open()]
      const notifiedIds = new Set<string>()
      listening.hints.onWork((kind) => notifiedIds.add(kind))
      await wake(writing, 'a', 0)
      await accepted(writing, { wake: [{ kind: 'timer', key: 'a', at: subject.now() + 60_000 }] })
      await eventually(subject, 'hints of both kinds', () => notifiedIds.has('turn') && notifiedIds.has('timer'))
    },
  },
  {
    id: 'hints:deltas',
    behaviour: 'a delta reaches every listener of its connection and leaves no trace',
    async run({ open }) {
      const store = await open()
      const hintsSeen: string[] = []
      store.hints.onDelta((delta) => hintsSeen.push(`1:${delta.text}`))
      store.hints.onDelta((delta) => hintsSeen.push(`2:${delta.text}`))
      store.hints.publish({ stream: 's', draft: 'd', from: 0, text: 'Hel' })
      assert.deepEqual(hintsSeen.toSorted(), ['1:Hel', '2:Hel'])
      assert.equal(await store.head('s'), 0)
    },
  },
  {
    id: 'hints:unsubscribe',
    behaviour: 'who has left is told nothing more, and others still are',
    async run({ open }) {
      const store = await open()
      const streamsHinted: string[] = []
      const leave = [
        store.hints.onStream(() => streamsHinted.push('stream')),
        store.hints.onWork(() => streamsHinted.push('work')),
        store.hints.onDelta(() => streamsHinted.push('delta')),
      ]
      store.hints.onStream(() => streamsHinted.push('stays'))
      for (const go of [...leave, ...leave]) go()
      await accepted(store, { ...say('s', 0, 'a'), wake: [{ kind: 'turn', key: 's', at: 0 }] })
      store.hints.publish({ stream: 's', draft: 'd', from: 0, text: 'x' })
      assert.deepEqual(streamsHinted, ['stays'])
    },
  },
  {
    id: 'hints:faulty-listener',
    behaviour: 'a listener that throws harms neither the commit nor the other listeners',
    async run({ open }) {
      const store = await open()
      let noticeCount = 0
      store.hints.onStream(() => {
        throw new Error('faulty listener')
      })
      store.hints.onStream(() => noticeCount++)
      await accepted(store, say('s', 0, 'a'))
      assert.equal(noticeCount, 1)
    },
  },
  {
    id: 'hints:commit-from-hint',
    behaviour: 'a listener may commit, and reads what it was told of',
    async run({ open }) {
      const store = await open()
      let answer: Promise<unknown> | undefined
      store.hints.onStream((stream, head) => {
        if (stream === 's') answer = store.read('s', 0, 9).then((events) => accepted(store, say('t', 0, `${head}/${events.length}`)))
      })
      await accepted(store, say('s', 0, 'a'))
      await answer
      assert.deepEqual(words(await store.read('t', 0, 9)), ['1/1'])
    },
  },
  {
    id: 'hints:feed',
    behaviour: 'a reader that takes events from hints and reads only what is missing sees each exactly once while others write',
    async run(subject) {
      const [here, there] = [await subject.open(), await subject.open()]
      const total = 80
      const log: StoredEvent[] = []
      const last = (): number => log.at(-1)?.seq ?? 0
      let behind = true
      here.hints.onStream((stream, head, events) => {
        if (stream !== 's' || head <= last()) return
        if (events?.[0]?.seq === last() + 1 && !behind) log.push(...events)
        else behind = true
      })
      const write = async (store: typeof here, name: string): Promise<void> => {
        for (let i = 0; i < total / 2; i++) await insist(store, 's', `${name}${i}`)
      }
      const writing = Promise.all([write(here, 'h'), write(there, 't')])
      await eventually(subject, 'the feed saw everything', async () => {
        while (behind) {
          behind = false
          const from = last()
          const page = await here.read('s', from, 7)
          // Events that hints delivered while the page was read are skipped.
          log.push(...page.filter(({ seq }) => seq > last()))
          if (page.length === 7 || last() < (await here.head('s'))) behind = true
        }
        return log.length >= total
      })
      await writing
      assert.deepEqual(
        seqs(log),
        Array.from({ length: total }, (_, i) => i + 1),
      )
      assert.equal(new Set(words(log)).size, total)
    },
  },
]
