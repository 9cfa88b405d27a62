/** Time and size limits of plugins. */
export const pluginLimits = {
  /** A reply, a message or a turn waits for it. */
  hookMs: 2_000,
  /** A message waits for it, and no person. */
  prepareMs: 10_000,
  /** Nothing waits for it. */
  afterwardsMs: 30_000,
  /** The message waits for it, and nothing else. */
  transcribeMs: 60_000,
  transcriptChars: 40_000,
  setUpMs: 10_000,
  closeMs: 2_000,
  failuresInARow: 5,
  noteLines: 10,
  noteChars: 500,
  toastChars: 500,
  documentBytes: 262_144,
  keyChars: 300,
  sweepEveryMs: 300_000,
  leastSweepEveryMs: 1_000,
} as const
