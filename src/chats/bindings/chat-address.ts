/** An address on a connected account. */
export type ChatAddress = { channel: string; address: string }

export const chatAddressKey = ({ channel, address }: ChatAddress): string => `${channel}/${address}`
