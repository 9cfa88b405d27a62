import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headerFor } from '../../src/dialogs/rules/tellask.ts'
import type { GenerationInput } from '../../src/ports/agent-runtime.ts'
import { call, gate, last, readBy, teamWith, text, withTeam } from './team-scene.ts'

test('a cleared mind: messages out of sight but in the log, course + 1, reminders kept with the new one, first thing read is the prompt [course:clear:messages] [course:clear:counter] [course:clear:reminders-kept] [course:clear:prompt]', async () => {
  const inputs: GenerationInput[] = []
  const team = teamWith({
    *ada(input) {
      inputs.push(input)
      const now = last(input)
      if (now?.kind === 'human' && now.text === 'one') {
        yield call('add_reminder', { content: 'old note' })
      } else if (now?.kind === 'human') {
        yield call('clear_mind', { reminder_content: 'new note' })
      } else yield text(`course ${input.course}: ${input.reminders.join(' + ')}`)
    },
  })
  await withTeam(team, async ({ begin, say, said, events, parley }) => {
    const root = await begin('one')
    await say(root, 'two')
    assert.equal((await said(root)).at(-1), 'course 2: old note + new note')
    const fresh = inputs.at(-1)
    assert.deepEqual(
      fresh?.context.map(({ kind }) => kind),
      ['prompt'],
    )
    assert.match(fresh ? readBy(fresh) : '', /This is course 2/)
    assert.deepEqual((await events(root, 'message.said')).length, 4)
    assert.equal((await parley.dialogs.get(root)).course, 2)
  })
})

test('a side dialog starts its new course with the header and the request, then the prompt [course:clear:side-header] [header:each-course]', async () => {
  let fresh = ''
  const team = teamWith({
    *ada(input) {
      if (last(input)?.kind === 'human') yield call('tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: 'dig deep' })
      else yield text('done')
    },
    *bob(input) {
      if (input.course === 1) return yield call('clear_mind', {})
      const [first] = input.context
      fresh = first?.kind === 'prompt' ? first.text : ''
      yield text('dug')
    },
  })
  await withTeam(team, async ({ begin, said }) => {
    const root = await begin('go')
    assert.ok(fresh.startsWith(`${headerFor('en', 'session', 'ada')}\n\nNow (s):\n> dig deep\n`), fresh)
    assert.match(fresh, /\n\n---\n\nThis is course 2\./)
    assert.equal((await said(root)).at(-1), 'done')
  })
})

test('requests, their replies, names and side dialogs stay over a cleared mind; a late reply says what it answers [course:clear:pending-kept] [course:clear:registry-kept] [course:carry-over]', async () => {
  const slow = gate()
  let late = ''
  const team = teamWith({
    *ada(input) {
      const now = last(input)
      if (now?.kind === 'human' && now.text === 'go') {
        yield call('tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: 'dig deep' })
        return yield call('clear_mind', { reminder_content: 'bob digs' })
      }
      if (now?.kind === 'human') return yield call('tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: 'again' })
      if (now?.kind === 'prompt' && now.text.includes('dig deep')) late = now.text
      yield text('ok')
    },
    async *bob() {
      await slow.passed
      yield text('found')
    },
  })
  await withTeam(team, async ({ begin, rest, say, status, children }) => {
    const root = await begin('go')
    assert.equal(await status(root), 'delegated')
    slow.open()
    await rest()
    assert.match(late, /before your mind was cleared\.\nRequest to @bob \(s\):\n> dig deep\n\nReply:\n> 【未声明完成】\n> found/)
    await say(root, 'once more')
    const all = await children(root)
    assert.equal(all[0], all[1])
  })
})

test('what was said and answered while it cleared its mind is the start of the new course [course:clear:news-kept]', async () => {
  const clearing = gate()
  const messages: string[][] = []
  const team = teamWith({
    async *ada(input) {
      messages.push(input.context.flatMap((item) => (item.kind === 'human' ? [item.text] : [])))
      if (input.course > 1) return yield text('ok')
      await clearing.passed
      yield call('clear_mind', {})
    },
  })
  await withTeam(team, async ({ begin, say, rest }) => {
    const root = await begin('old')
    await say(root, 'new')
    clearing.open()
    await rest()
    assert.deepEqual(messages, [['old'], ['new']])
  })
})

test('reminders: numbered from 1, 0 appends, numbers mean the list the agent saw, mistakes are words [reminder:add] [reminder:update] [reminder:delete] [reminder:errors] [reminder:numbers]', async () => {
  const steps: (readonly [string, object])[][] = [
    [
      ['add_reminder', { content: 'b' }],
      ['add_reminder', { content: 'a', position: 1 }],
      ['add_reminder', { content: 'c', position: 0 }],
    ],
    [['update_reminder', { reminder_no: 2, content: 'B' }]],
    [
      ['delete_reminder', { reminder_no: 1 }],
      ['delete_reminder', { reminder_no: 2 }],
    ],
    [
      ['delete_reminder', { reminder_no: 1 }],
      ['delete_reminder', { reminder_no: 1 }],
    ],
    [
      ['add_reminder', { content: '  ' }],
      ['add_reminder', { content: 'x', position: 7 }],
      ['update_reminder', { reminder_no: 0, content: 'x' }],
      ['delete_reminder', {}],
      ['add_reminder', { content: 'x'.repeat(20_001) }],
    ],
  ]
  const team = teamWith({
    *ada(input) {
      const now = last(input)
      if (now?.kind === 'human') {
        for (const [name, given] of steps[input.turn - 1] ?? []) yield call(name, given)
      } else yield text(`[${input.reminders.join()}]`)
    },
  })
  await withTeam(team, async ({ begin, say, said, events, status }) => {
    const root = await begin('1')
    for (const words of ['2', '3', '4', '5']) await say(root, words)
    const bracketed = (await said(root)).filter((words) => words.startsWith('['))
    assert.deepEqual(bracketed, ['[a,b,c]', '[a,B,c]', '[c]', '[]', '[]'])
    const returned = (await events(root, 'tool.returned')).map(({ ok }) => ok)
    assert.deepEqual(returned, [true, true, true, true, true, true, true, false, false, false, false, false, false])
    assert.equal(await status(root), 'ready')
  })
})
