import type { z as Zod } from 'zod'

/** Takes zod as a parameter, because the terminal lists the platforms without loading it. */
export const slackConfig = (z: typeof Zod) =>
  z.strictObject({
    token: z.string().min(1).optional().describe('Bot token, xoxb-…; best as ${SLACK_BOT_TOKEN}.'),
    appToken: z.string().min(1).optional().describe('App-level token, xapp-…, for socket mode; best as ${SLACK_APP_TOKEN}.'),
    signingSecret: z
      .string()
      .min(16)
      .optional()
      .describe('Signing secret, for events over HTTP instead of socket mode; best as ${SLACK_SIGNING_SECRET}.'),
    apiRoot: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Another address than https://slack.com/api/.'),
  })

export type SlackConfig = Zod.output<ReturnType<typeof slackConfig>>
