import { discordLimits } from './limits.ts'
import { escapeMarkdown } from './markdown.ts'
import { flags, noMentions } from './render.ts'

/** D interactions/receiving-and-responding, interaction types. */
export const interactionTypes = { ping: 1, command: 2, component: 3 } as const

/** Words that only the person who tapped sees. */
export const toEphemeral = (toast: string): Record<string, unknown> => ({
  content: escapeMarkdown(toast).slice(0, 2 * discordLimits.toastChars),
  flags: flags.ephemeral,
  allowed_mentions: noMentions,
})

/** A response to an interaction: an ephemeral message, or an acknowledgement that shows nothing. */
export const toToast = (toast: string | null): Record<string, unknown> =>
  toast === null ? { type: 6 } : { type: 4, data: toEphemeral(toast) }
