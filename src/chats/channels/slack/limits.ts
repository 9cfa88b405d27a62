/**
 * Limits of Slack, each with its source. T = @slack/types 3.2.0; D = https://docs.slack.dev;
 * C = measured by others and not documented by the platform.
 */
export const slackLimits = {
  /** T SectionBlock.text: "Maximum length for the text in this field is 3000 characters". Counted after escaping. */
  sectionChars: 3_000,
  /** T ContextBlock: elements of 3,000 characters. */
  headerChars: 150,
  /** D reference/block-kit/blocks: "up to 50 blocks in each message". */
  blocks: 50,
  /** C slackapi/bolt-js#2509: all blocks of one message failed near 13,200 characters. */
  messageChars: 12_000,
  /** T ActionsBlock.elements: at most 25. */
  actionsPerBlock: 25,
  /** T PlainTextElement of buttons and options: 75. */
  labelChars: 75,
  /** T Button.value: 2,000; T Option.value: 75 in the types, 150 in the docs. */
  valueBytes: 150,
  /** T ConfirmationDialog.text: 300. */
  confirmChars: 300,
  options: 100,
  placeholderChars: 150,
  /** T Button.url: 3,000. */
  urlChars: 3_000,
  /** T ImageBlock.alt_text: 2,000. */
  altChars: 2_000,
  /** D chat.postMessage: keep the notification text short. */
  fallbackChars: 3_000,
  /** D interactivity: an acknowledgement within 3 seconds; response_url lives for 30 minutes. */
  tapDeadlineMs: 3_000,
  tapLifeMs: 30 * 60_000,
  /** D rate limits: about one message a second for each channel. */
  perAddressPerSecond: 1,
  /** D verifying requests: refuse what is older than five minutes. */
  replayMs: 5 * 60_000,
} as const
