import type { z as Zod } from 'zod'

/** Takes zod as a parameter, because the terminal lists the platforms without loading it. */
export const mattermostConfig = (z: typeof Zod) =>
  z.strictObject({
    url: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Address of your Mattermost server.'),
    token: z.string().min(1).optional().describe('Access token of the bot account; best as ${MATTERMOST_TOKEN}.'),
    callbackUrl: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Address at which Mattermost reaches the webhook of this account, if it is not the public one.'),
  })

export type MattermostConfig = Zod.output<ReturnType<typeof mattermostConfig>>
