/** Bounds and times of the connection between a member and its host. */
export const wireLimits = {
  /** Time for a new connection to prove who it is. */
  authMs: 30_000,
  heartbeatMs: 15_000,
  /** A connection that sent nothing for so long is closed as stale. */
  staleMs: 45_000,
  /** Time for one frame to be confirmed; then the same message is sent over HTTP. */
  ackMs: 5_000,
  commandMs: 30_000,
  httpMs: 20_000,
  firstRetryMs: 1_000,
  longestRetryMs: 60_000,
  /** Share of a wait by which it is made longer or shorter, so that members do not return all at once. */
  retryJitter: 0.2,
  /** Of a frame or request of a member, and of a frame of the host. */
  memberFrameBytes: 131_072,
  hostFrameBytes: 4_194_304,
  /** Pushes to one member that wait for their confirmation, and calls of one member that wait for their result. */
  unconfirmedPushes: 256,
  openCalls: 32,
  /** Output that a member has not taken yet. */
  bufferedBytes: 8_388_608,
  framesPerSecond: 50,
  framesAtOnce: 400,
  bytesPerSecond: 262_144,
  bytesAtOnce: 2_097_152,
  /** Connections in total, and those that have not proven who they are. */
  connections: 20_000,
  unprovenConnections: 1_000,
  /** New proofs from one address; a proof may be this much older or newer than the clock of the host. */
  proofsPerSecond: 5,
  proofsAtOnce: 100,
  proofAgeMs: 120_000,
  /** Requests over HTTP from one account. */
  httpPerSecond: 20,
  httpAtOnce: 200,
} as const

export type WireLimits = { readonly [Name in keyof typeof wireLimits]: number }

export const closeCodes = {
  stopping: 1001,
  policy: 1008,
  tooMuch: 1013,
  duplicate: 4001,
  stale: 4002,
  authFailed: 4003,
  /** The account has a new key: connect again with it. */
  keyChanged: 4004,
} as const
