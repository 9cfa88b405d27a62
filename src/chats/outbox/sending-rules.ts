import type { Channel } from '../../ports/channel.ts'

/** The decisions of the owner about sending to the places of an account. */
export type SendingRules = {
  hasButtons(place: { channel: string; address: string }): Promise<boolean>
  /** A message without an answer of the platform is sent again, which may show it twice. */
  repeatsUnknown(channel: string): boolean
}

export const usualRules: SendingRules = { hasButtons: async () => true, repeatsUnknown: () => false }

/** The same channel as one that cannot show controls: their labels are listed as text. */
export function withoutButtons(channel: Channel): Channel {
  const { presentation } = channel.capabilities
  return {
    ...channel,
    capabilities: { ...channel.capabilities, presentation: { ...presentation, buttons: false, selects: false, selectsAsButtons: false } },
  }
}
