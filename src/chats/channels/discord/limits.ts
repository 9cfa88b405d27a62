/**
 * Limits of Discord, each with its source. D = discord/discord-api-docs at c98d64bc; C = measured by others and not documented
 * by the platform.
 */
export const discordLimits = {
  /** D components/reference: at most 40 components in a message, nested ones counted. One is the container. */
  components: 39,
  /** C docs.discord.food: the text of all components of a message together. */
  messageChars: 4_000,
  /** A heading of more than this is not read at a glance; longer titles are text. */
  titleChars: 256,
  /** D resources/poll: 300 characters, 10 answers of 55, open for 1 to 768 hours. */
  pollQuestionChars: 300,
  pollOptions: 10,
  pollOptionChars: 55,
  pollHours: 768,
  /** D components/reference, button and string select. */
  buttonsPerRow: 5,
  labelChars: 80,
  customIdChars: 100,
  /** The rest of a custom_id makes it unique in its message. */
  valueBytes: 88,
  options: 25,
  optionLabelChars: 100,
  placeholderChars: 150,
  urlChars: 512,
  /** D components/reference, media gallery and unfurled media. */
  altChars: 1_024,
  mediaUrlChars: 2_048,
  /** D resources/message: 10 attachments. Each medium counts as four components, so a message holds nine at most. */
  componentsOfMedium: 4,
  /** D reference, uploading files: 10 MiB where the server has no boosts. */
  uploadBytes: 10 * 1024 * 1024,
  /** D resources/message, create message: a nonce is a string of at most 25 characters, checked for "the past few minutes". */
  nonceChars: 25,
  nonceForMs: 2 * 60_000,
  /** D interactions/receiving-and-responding: the first response within 3 seconds, further ones for 15 minutes. */
  tapDeadlineMs: 3_000,
  interactionLifeMs: 15 * 60_000,
  /** C: five messages in five seconds for each channel. D topics/rate-limits: 50 requests a second for a bot. */
  perAddressPerFiveSeconds: 5,
  perAccountPerSecond: 50,
  toastChars: 1_000,
  /** Requests to the endpoint are signed with their time; older ones are refused. */
  replayMs: 5 * 60_000,
} as const
