import type { PollSheet } from '../../../ports/channel.ts'
import { toPlace } from './address.ts'
import { telegramLimits as limits } from './limits.ts'

/** A poll of Telegram hides its voters by default. */
export const telegramPolls: PollSheet = {
  maxOptions: limits.pollOptions,
  maxQuestionLength: limits.pollQuestionUnits,
  maxOptionLength: limits.pollOptionUnits,
  openMs: [limits.pollShortestSeconds * 1_000, limits.pollLongestSeconds * 1_000],
  voters: 'as-asked',
  render: ({ question, options, isMultiple = false, isAnonymous, openForMs }, to) => ({
    operation: 'sendPoll',
    body: {
      ...toPlace(to.address),
      question,
      options: options.map((text) => ({ text })),
      allows_multiple_answers: isMultiple,
      ...(isAnonymous !== undefined && { is_anonymous: isAnonymous }),
      ...(openForMs !== undefined && { open_period: Math.ceil(openForMs / 1_000) }),
      ...(to.silent && { disable_notification: true }),
      ...(to.replyTo !== undefined && {
        reply_parameters: { message_id: Number(to.replyTo), allow_sending_without_reply: true },
      }),
    },
  }),
}
