/** Every bound of what comes in. */
export const inboundLimits = {
  /** Addresses whose messages are handed on at the same time, and taps. */
  concurrentAddresses: 64,
  concurrentTaps: 128,
  /** Messages of one address that wait to be handed on; more are refused by dropping them, and that is recorded. */
  waitingMessages: 200,
  /** Pending messages of a stranger who is not accepted yet. */
  heldMessages: 5,
  pairingForMs: 60 * 60_000,
  /** Requests of one address in a day, and open requests of all strangers together. */
  pairingsPerDay: 3,
  openPairings: 100,
  declinedForMs: 24 * 60 * 60_000,
  /** Tries to hand something on before it is put where a person sees it. */
  tries: 6,
  channelWaitMs: 5_000,
  /** Kept free for the way of a response to a tap; the rest of the platform's time limit may be used to decide. */
  responseReserveMs: 500,
  tapAgeMs: 24 * 60 * 60_000,
  wordsChars: 20_000,
  listed: 200,
} as const
