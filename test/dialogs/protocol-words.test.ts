import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assignmentPrompt, backPrompt, headerFor, isSlug, markers, tellaskTools, withMarker } from '../../src/dialogs/rules/tellask.ts'
import { declareTools } from '../../src/dialogs/rules/prompt/tool-declarations.ts'
import { mindTools } from '../../src/dialogs/rules/tree-tools.ts'
import { call, last, teamWith, text, withTeam } from './team-scene.ts'

test('the headers, letter by letter, in both languages [header:text]', () => {
  assert.equal(
    headerFor('en', 'session', 'xxx'),
    'You are the responder (tellaskee dialog) for this dialog; the tellasker dialog is @xxx (the current caller).',
  )
  assert.equal(
    headerFor('zh', 'fresh', 'xxx'),
    '你是当前被诉请者对话(tellaskee dialog)的主理人;诉请者对话(tellasker dialog)为 @xxx(当前发起本次诉请)。',
  )
  assert.equal(headerFor('en', 'reasoning', 'xxx'), 'This is an FBR sideline dialog; the tellasker dialog is @xxx (may be the same agent).')
  assert.equal(headerFor('zh', 'reasoning', 'xxx'), '这是一次 FBR 支线对话;诉请者对话为 @xxx(可能与当前对话同一 agent)。')
})

test('the markers, letter by letter [marker:text]', () => {
  assert.deepEqual(markers, { back: '【tellaskBack】', done: '【最终完成】', reasoned: '【FBR-直接回复】', reasonedOnly: '【FBR-仅推理】' })
})

test('the names and arguments of the calls, letter by letter [calls:names]', () => {
  assert.deepEqual(Object.values(tellaskTools).toSorted(), ['freshBootsReasoning', 'tellask', 'tellaskBack', 'tellaskSessionless'])
  assert.deepEqual(Object.values(mindTools).toSorted(), ['add_reminder', 'clear_mind', 'delete_reminder', 'update_reminder'])
  const fields = Object.fromEntries(
    declareTools([], { variant: 'side', hasTeammates: true, canReason: true, hasTaskdoc: false }).map(({ name, inputSchema }) => [
      name,
      Object.keys((inputSchema as { properties: object }).properties),
    ]),
  )
  assert.deepEqual(fields, {
    reply: ['text', 'status', 'to'],
    askHuman: ['tellaskContent', 'to', 'items'],
    withdraw_question: ['question', 'reason'],
    recall_output: ['handle', 'from', 'lines'],
    tellaskBack: ['tellaskContent'],
    tellask: ['targetAgentId', 'sessionSlug', 'tellaskContent'],
    tellaskSessionless: ['targetAgentId', 'tellaskContent'],
    freshBootsReasoning: ['tellaskContent'],
    clear_mind: ['reminder_content'],
    add_reminder: ['content', 'position'],
    update_reminder: ['reminder_no', 'content'],
    delete_reminder: ['reminder_no'],
  })
})

test('after the header comes the request, named where it is kept, quoted line by line [header:assignment]', () => {
  const request = { mode: 'session' as const, by: 'ada', session: 'plan', content: 'one\ntwo' }
  const en = assignmentPrompt('en', request)
  assert.ok(en.startsWith(`${headerFor('en', 'session', 'ada')}\n\nNow (plan):\n> one\n> two\n\n`), en)
  assert.ok(assignmentPrompt('en', { ...request, mode: 'fresh', session: null }).includes('\n\nNow:\n> one'))
  assert.ok(assignmentPrompt('zh', request).startsWith(`${headerFor('zh', 'session', 'ada')}\n\n现在（plan）：\n> one\n> two\n\n`))
  assert.ok(assignmentPrompt('zh', { ...request, session: null }).includes('\n\n现在：\n> one'))
})

test('the delivery rule is said: deliver with reply, ask back before; a fresh mind may not ask at all [delivery:rule] [fbr:no-ask-back]', () => {
  const asked = { by: 'ada', session: null, content: 'x' }
  for (const language of ['en', 'zh'] as const) {
    const request = assignmentPrompt(language, { ...asked, mode: 'fresh' })
    assert.ok(/(?:with|用) reply/.test(request) && request.includes('tellaskBack'))
    const reasoning = assignmentPrompt(language, { ...asked, mode: 'reasoning' })
    assert.ok(reasoning.includes(markers.reasoned) && reasoning.includes(markers.reasonedOnly) && !reasoning.includes('tellaskBack'))
    assert.ok(backPrompt(language, { by: 'bob', content: 'y' }, 'the request').includes('> the request'))
  }
})

test('the right marker is on the first line of every reply exactly once, whatever the agent wrote [marker:repaired]', () => {
  const words = fc.oneof(
    fc.string(),
    fc.tuple(fc.constantFrom(...Object.values(markers)), fc.constantFrom('', ' ', '\n'), fc.string()).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(words, fc.constantFrom([markers.done], [markers.reasoned, markers.reasonedOnly], [markers.back]), (said, right) => {
      const repaired = withMarker(said, right)
      assert.ok(right.some((marker) => repaired.startsWith(marker)))
      assert.equal(withMarker(repaired, right), repaired, 'what is right is left alone')
    }),
  )
  assert.equal(withMarker('done', [markers.done]), '【最终完成】\ndone')
  assert.equal(withMarker('【tellaskBack】 done', [markers.done]), '【最终完成】\ndone')
  assert.equal(withMarker('【最终完成】done', [markers.done]), '【最终完成】done')
  assert.equal(withMarker('【FBR-仅推理】\nx', [markers.reasoned, markers.reasonedOnly]), '【FBR-仅推理】\nx')
})

test('a slug: letters, digits, - and _, dots between, a letter first [tellask:slug]', () => {
  for (const good of ['a', 'A1', 'a-b_c', 'work.part-1']) assert.equal(isSlug(good), true, good)
  for (const bad of ['', '1a', '_a', 'a b', 'a..b', 'a.', 'ä', 'a/b']) assert.equal(isSlug(bad), false, bad)
})

test('a Chinese dialog asks, asks back and replies in Chinese, with the same markers [language:zh]', async () => {
  const prompts: string[] = []
  const team = teamWith({
    *ada(input) {
      const now = last(input)
      if (now?.kind === 'human') return yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: '查一下' })
      if (now?.kind === 'prompt') prompts.push(now.text)
      yield text(now?.kind === 'prompt' ? '绿色' : String(now?.kind === 'call' && now.result?.output))
    },
    *bob(input) {
      const now = last(input)
      if (now?.kind === 'prompt') {
        prompts.push(now.text)
        return yield call('tellaskBack', { tellaskContent: '什么颜色？' })
      }
      yield text('好了')
    },
  })
  await withTeam(team, async ({ begin, said }) => {
    const root = await begin('开始', 'zh')
    assert.ok(prompts[0]?.startsWith(headerFor('zh', 'fresh', 'ada')))
    assert.match(prompts[1] ?? '', /@bob 在继续之前向你回问/)
    assert.equal((await said(root)).at(-1), '【未声明完成】\n好了')
  })
})
