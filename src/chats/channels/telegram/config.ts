import type { z as Zod } from 'zod'

/** Takes zod as a parameter, because the terminal lists the platforms without loading it. */
export const telegramConfig = (z: typeof Zod) => {
  const rate = (most: number) => z.number().positive().max(most).optional()
  return z.strictObject({
    token: z.string().min(1).optional().describe('Token of the bot from @BotFather; best as ${TELEGRAM_TOKEN}.'),
    apiRoot: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('A Bot API server of your own.'),
    webhook: z
      .strictObject({
        url: z.url({ protocol: /^https?$/ }).describe('Where Telegram calls this server: https://…/v1/channels/<name>/webhook'),
        secret: z
          .string()
          .min(16)
          .max(256)
          .regex(/^[\w-]+$/)
          .describe('Calls without it are refused; best as ${TELEGRAM_WEBHOOK_SECRET}.'),
      })
      .optional()
      .describe('Without it, messages are fetched by long polling, which needs no public address.'),
    rates: z
      .strictObject({ perChatPerSecond: rate(10_000), perGroupPerMinute: rate(600_000), perSecond: rate(10_000) })
      .prefault({})
      .describe('How much may be sent, where your account or your own server may send more than Telegram usually allows.'),
  })
}

export type TelegramConfig = Zod.output<ReturnType<typeof telegramConfig>>
