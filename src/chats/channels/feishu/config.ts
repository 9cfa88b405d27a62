import type { z as Zod } from 'zod'

/** Takes zod as a parameter, because the terminal lists the platforms without loading it. */
export const feishuConfig = (z: typeof Zod) =>
  z.strictObject({
    appId: z
      .string()
      .regex(/^cli_[0-9a-fA-F]{16}$/, 'an app id begins with cli_ and has 16 further characters')
      .optional()
      .describe('App ID, cli_…; best as ${FEISHU_APP_ID}.'),
    appSecret: z.string().min(1).optional().describe('App Secret; best as ${FEISHU_APP_SECRET}.'),
    encryptKey: z
      .string()
      .min(8)
      .optional()
      .describe('Encrypt Key, for events over HTTP instead of the long connection; best as ${FEISHU_ENCRYPT_KEY}.'),
    verificationToken: z.string().min(1).optional().describe('Verification Token, compared with that of each event over HTTP.'),
    domain: z.enum(['feishu', 'lark']).optional().describe('Where the app was made: open.feishu.cn (unless set) or open.larksuite.com.'),
    apiRoot: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Another address than that of the domain.'),
  })

export type FeishuConfig = Zod.output<ReturnType<typeof feishuConfig>>
