import type { z as Zod } from 'zod'

/** Takes zod as a parameter, because the terminal lists the platforms without loading it. */
export const teamsConfig = (z: typeof Zod) =>
  z.strictObject({
    appId: z.string().min(1).optional().describe('Application (client) ID of the bot; best as ${TEAMS_APP_ID}.'),
    appPassword: z.string().min(1).optional().describe('Client secret of the bot; best as ${TEAMS_APP_PASSWORD}.'),
    tenantId: z
      .string()
      .regex(/^[\w.-]+$/)
      .optional()
      .describe('Directory (tenant) ID of a bot of one tenant. Without it the bot is one of all tenants.'),
    apiRoot: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Another address than https://smba.trafficmanager.net/teams/, for chats whose own address is not known yet.'),
    loginRoot: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Another address than https://login.microsoftonline.com.'),
    openIdUrl: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Another address than https://login.botframework.com/v1/.well-known/openidconfiguration.'),
  })

export type TeamsConfig = Zod.output<ReturnType<typeof teamsConfig>>
