import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { platformSchema } from './platform-schema.ts'
import type { Poll } from '../../src/chats/message/poll.ts'
import type { PollSheet } from '../../src/ports/channel.ts'
import { findPollProblem } from '../../src/chats/outbox/poll-problem.ts'
import { discordPolls } from '../../src/chats/channels/discord/polls.ts'
import { telegramPolls } from '../../src/chats/channels/telegram/polls.ts'

const sheets: Record<string, PollSheet> = { telegram: telegramPolls, discord: discordPolls }
const address: Record<string, string> = { telegram: '-1001:topic:7', discord: '1100000000000000001:thread:1100000000000000002' }

/** Around the limits of both platforms. */
const anyPoll: fc.Arbitrary<Poll> = fc.record(
  {
    question: fc.string({ minLength: 1, maxLength: 320, unit: 'grapheme' }),
    options: fc.array(fc.string({ minLength: 1, maxLength: 110, unit: 'grapheme' }), { minLength: 2, maxLength: 13 }),
    isMultiple: fc.boolean(),
    isAnonymous: fc.boolean(),
    openForMs: fc.integer({ min: 1, max: 800 * 3_600_000 }),
  },
  { requiredKeys: ['question', 'options'] },
)

for (const [platform, sheet] of Object.entries(sheets))
  test(`${platform}: a poll that is not refused fits the contract of the platform`, (t) => {
    const schema = platformSchema(platform)
    if (!schema) return t.skip('no platform contracts here')
    let accepted = 0
    const check = (poll: Poll): void => {
      const to = { address: address[platform] ?? '', silent: true, replyTo: '1100000000000000003' }
      const { operation, body } = sheet.render(poll, to)
      assert.deepEqual(schema.validate(operation, body), [], JSON.stringify(body))
      accepted += 1
    }
    check({ question: 'Lunch?', options: ['Pizza', 'Sushi'] })
    check({
      question: 'x'.repeat(sheet.maxQuestionLength),
      options: Array.from({ length: sheet.maxOptions }, (_, at) => `${at}`.padEnd(sheet.maxOptionLength, 'x')),
      openForMs: sheet.openMs[1],
    })
    fc.assert(
      fc.property(anyPoll, (poll) => void (findPollProblem(poll, sheet) ?? check(poll))),
      { numRuns: 500 },
    )
    t.diagnostic(`${accepted} polls`)
  })
