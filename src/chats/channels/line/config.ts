import type { z as Zod } from 'zod'

/** Takes zod as a parameter, because the terminal lists the platforms without loading it. */
export const lineConfig = (z: typeof Zod) =>
  z.strictObject({
    token: z.string().min(1).optional().describe('Channel access token (long-lived); best as ${LINE_CHANNEL_ACCESS_TOKEN}.'),
    channelSecret: z
      .string()
      .min(16)
      .optional()
      .describe('Channel secret, with which LINE signs the calls to the webhook; best as ${LINE_CHANNEL_SECRET}.'),
    replyTokens: z
      .boolean()
      .optional()
      .describe('Replies within a minute use the reply token of the message and do not count towards the monthly quota. True unless set.'),
    apiRoot: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Another address than https://api.line.me.'),
  })

export type LineConfig = Zod.output<ReturnType<typeof lineConfig>>
