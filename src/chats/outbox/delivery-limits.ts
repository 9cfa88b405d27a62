/** Every bound of the outbox in one place. */
export const deliveryLimits = {
  /** Addresses that are written to at the same time. */
  concurrentAddresses: 64,
  /** Tries of one part before a person is asked; being told to slow down is not a try. */
  tries: 10,
  firstRetryMs: 1_000,
  longestRetryMs: 60_000,
  /** A message that waited longer than this is reported, not sent: late words can do harm. */
  staleAfterMs: 60 * 60_000,
  /** Platforms remember a key for minutes, not for ever; after that an unclear sending is reported. */
  repeatKeyWithinMs: 5 * 60_000,
  sendTimeoutMs: 60_000,
  /** A channel that is configured but not connected yet is asked for again after this. */
  channelWaitMs: 5_000,
  /** Steps for one address before others get their turn. */
  stepsPerClaim: 50,
  /** A tap that answers a question closes its message within this time; otherwise the controls are taken away then. */
  closesWithinMs: 500,
  /** Lifetime of a control. */
  controlsForMs: 30 * 24 * 60 * 60_000,
  /** Lifetime of the controls of an approval. */
  approvalControlsForMs: 3_650 * 24 * 60 * 60_000,
  /** Retention after that, and the pace at which older ones are removed. */
  controlsKeptMs: 30 * 24 * 60 * 60_000,
  sweepEveryMs: 60 * 60_000,
  sweepRows: 200,
  sweepBatches: 50,
  tokenChars: 16,
  previewEveryMs: 1_500,
  /** Longest wait of a person for a pin or a reaction. */
  performWaitMs: 30_000,
  windows: 10_000,
  listed: 200,
} as const
