import type { z as Zod } from 'zod'

/** Takes zod as a parameter, because the terminal lists the platforms without loading it. */
export const discordConfig = (z: typeof Zod) =>
  z.strictObject({
    token: z.string().min(1).optional().describe('Bot token; best as ${DISCORD_BOT_TOKEN}.'),
    publicKey: z
      .string()
      .regex(/^[0-9a-f]{64}$/i)
      .optional()
      .describe('Public key of the application, for taps over HTTP instead of the gateway.'),
    apiRoot: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Another address than https://discord.com/api.'),
  })

export type DiscordConfig = Zod.output<ReturnType<typeof discordConfig>>
