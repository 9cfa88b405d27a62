import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAgentOutput } from './agent-output.ts'
import { isOperationalNotice } from './operational-notices.ts'

const silent = ['NO_REPLY', ' NO_REPLY\n', '\n\nNO_REPLY']

const wrapped = [
  '"NO_REPLY"',
  '`NO_REPLY`',
  'NO_REPLY.',
  '**NO_REPLY**',
  '```\nNO_REPLY\n```',
  '```text\nNO_REPLY\n```',
  '“NO_REPLY”',
  '「NO_REPLY」',
  '(NO_REPLY)',
  'no_reply',
  'NO_REPLY。',
  'NO_REPLY\nNO_REPLY',
  '[NO_REPLY]',
  '~~~\nNO_REPLY\n~~~',
] // one token, only wrapped

const mixed: [output: string, text: string][] = [
  ['Goodbye!\nNO_REPLY', 'Goodbye!'],
  ['Goodbye!\n\n`NO_REPLY`\n', 'Goodbye!'],
  ['NO_REPLY\nGoodbye!', 'Goodbye!'],
  ['NO_REPLY\n\nSee you.\n\nNO_REPLY', 'See you.'],
  ['再见！\nNO_REPLY', '再见！'],
  ['Bye\nNO_REPLY\nSent the reply.', 'Bye'],
]

const prose = [
  'I would answer NO_REPLY here.',
  'A\nNO_REPLY\nB',
  'Write NO_REPLY or not?',
  'NO_REPLY means silence',
  'no reply',
  'Sorry for the late reply!',
  'NOREPLY',
  'NO_REPLYING',
]

const notices = [
  'Error: 429 Too Many Requests',
  'API Error: 529 overloaded',
  '⚠️ Something failed',
  'Rate limit exceeded, please retry in 20s',
  'Usage limit reached. Try again at 5pm.',
  'Your credit balance is too low'.replace('Your ', 'Account '),
  'Billing error: card declined',
  'The model is overloaded',
  'Usage: 1,204 in · 88 out',
  'Tokens: 1200',
  'Context compacted',
  '🧹 Auto-compaction complete',
  'Sent the reply.',
  'Reply sent.',
  'Fallback to gpt-small',
  '↳ model fallback: x',
  '回复已发送。',
  '余额不足',
  'Conversation was summarized',
  'Message delivered.',
]

const speech = [
  'I hit a rate limit at work last week, so I read a book.',
  'The model of the city is overloaded with detail.',
  'My context: I like trains.',
  'Error is human.',
  'We sent the reply to your sister.',
  'Usage of words matters.',
  'Tokens of affection are nice.',
  'Billing is a town in Germany.',
  '500 years ago this was a village'.replace('500', 'Five hundred'),
  'The server at the café was kind.',
  'I replied and sent the message yesterday.',
  '额度这个词很有趣',
]

test('readAgentOutput: the bare token is silence', () => {
  for (const output of silent)
    assert.deepEqual(readAgentOutput(output), { kind: 'silence', reason: 'no_reply_token', isMisuse: false }, output)
})

test('readAgentOutput: a wrapped token is silence and counts as misuse', () => {
  for (const output of wrapped)
    assert.deepEqual(readAgentOutput(output), { kind: 'silence', reason: 'no_reply_token', isMisuse: true }, output)
})

test('readAgentOutput: a token alone on the first or last line is removed', () => {
  for (const [output, text] of mixed) assert.deepEqual(readAgentOutput(output), { kind: 'reply', text, isMisuse: true }, output)
})

test('readAgentOutput: a token inside prose leaves the text whole for the leak filter', () => {
  for (const output of prose) assert.deepEqual(readAgentOutput(output), { kind: 'reply', text: output, isMisuse: false }, output)
})

test('readAgentOutput: notices alone are silence, notices around a text are removed', () => {
  for (const notice of notices) {
    assert.deepEqual(readAgentOutput(notice), { kind: 'silence', reason: 'operational_notice_only', isMisuse: false }, notice)
    assert.deepEqual(
      readAgentOutput(`${notice}\n\nHello Mira!\n${notice}`),
      { kind: 'reply', text: 'Hello Mira!', isMisuse: false },
      notice,
    )
  }
  for (const output of ['', ' \n '])
    assert.deepEqual(readAgentOutput(output), { kind: 'silence', reason: 'no_renderable_reply', isMisuse: false })
})

test('isOperationalNotice: sentences of a conversation are none', () => {
  assert.deepEqual(speech.filter(isOperationalNotice), [])
})
