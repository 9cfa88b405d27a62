import type { PollSheet } from '../../../ports/channel.ts'
import { toChannel } from './address.ts'
import { discordLimits as limits } from './limits.ts'

const hourMs = 3_600_000
const silentFlag = 4_096

/** A poll stands beside no components: D resources/message, flag IS_COMPONENTS_V2. */
export const discordPolls: PollSheet = {
  maxOptions: limits.pollOptions,
  maxQuestionLength: limits.pollQuestionChars,
  maxOptionLength: limits.pollOptionChars,
  openMs: [hourMs, limits.pollHours * hourMs],
  voters: 'shown',
  render: ({ question, options, isMultiple = false, openForMs }, to) => ({
    operation: 'create_message',
    path: { channel_id: toChannel(to.address) },
    body: {
      poll: {
        question: { text: question },
        answers: options.map((text) => ({ poll_media: { text } })),
        allow_multiselect: isMultiple,
        ...(openForMs !== undefined && { duration: Math.ceil(openForMs / hourMs) }),
      },
      allowed_mentions: { parse: [] },
      ...(to.silent && { flags: silentFlag }),
      ...(to.replyTo !== undefined && { message_reference: { message_id: to.replyTo, fail_if_not_exists: false } }),
    },
  }),
}
