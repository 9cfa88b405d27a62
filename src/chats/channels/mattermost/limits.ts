/**
 * Limits of Mattermost, each with its source. B = developers.mattermost.com, integrate/reference/mm-blocks; S = source of the
 * server at c5835cd2, server/public/model; A = API reference, version 4; O = our own choice, where the platform names none.
 */
export const mattermostLimits = {
  /** B: all texts and labels of buttons together. S post.go: a message holds 16,383 characters. */
  messageChars: 16_000,
  /** B: 100 blocks, nested ones counted. One is the container with the accent. */
  blocks: 99,
  /** B: 50 actions in a post. Each counts as two blocks, so a post has 49 at most. */
  blocksOfAction: 2,
  /** O: a longer heading is not read at a glance. */
  titleChars: 256,
  /** O: a row of buttons wraps; more are hard to read. */
  buttonsPerRow: 5,
  labelChars: 80,
  options: 100,
  optionLabelChars: 100,
  placeholderChars: 100,
  valueBytes: 256,
  urlChars: 2_048,
  altChars: 1_000,
  /** A CreatePost: ten files. Each medium counts as ten blocks, so a post has nine at most. */
  blocksOfMedium: 10,
  /** S config.go: FileSettings.MaxFileSize is 100 MiB unless the server says otherwise. */
  uploadBytes: 100 * 1024 * 1024,
  /** S app/post.go: a pending_post_id is recognised for 30 seconds. */
  pendingIdMs: 25_000,
  /** S config.go: OutgoingIntegrationRequestsTimeout is 30 seconds; a person does not wait that long. */
  tapDeadlineMs: 10_000,
  /** O: an answer to a tap after this is not shown. */
  tapLifeMs: 30 * 60_000,
  toastChars: 1_000,
  /** S config.go: RateLimitSettings.PerSec is 10, where limiting is on. */
  perAccountPerSecond: 10,
  /** Mattermost signs a tap with its time; older taps are refused. */
  replayMs: 5 * 60_000,
} as const
