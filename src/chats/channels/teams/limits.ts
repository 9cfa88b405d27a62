/**
 * Limits of Teams, each with its source. D = https://learn.microsoft.com/microsoftteams/platform; A = https://adaptivecards.io;
 * B = https://learn.microsoft.com/azure/bot-service; C = measured by others and not documented by the platform.
 */
export const teamsLimits = {
  /** D bots/how-to/format-your-bot-messages: 100 KB counted as UTF-16, "within 80 KB" to be sure. The rest is for the frame. */
  messageBytes: 76_000,
  /** Longer messages are hard to read on a phone, and the platform has no number for it. */
  messageChars: 20_000,
  /** D task-modules-and-cards/cards/cards-reference: Adaptive Cards "version 1.5 or earlier". */
  cardVersion: '1.5',
  /** D cards-reference: 6 actions for hero and list cards; there is no number for Adaptive Cards. */
  actionsPerRow: 6,
  /** D cards-reference: a title takes one line and is cut there, by the width of the window. */
  labelChars: 80,
  rowColumns: 80,
  titleChars: 256,
  /** Values are fields of JSON; the size of the card is the limit. */
  valueBytes: 1_000,
  options: 100,
  optionLabelChars: 200,
  placeholderChars: 200,
  urlChars: 2_048,
  altChars: 1_000,
  /** Shown in notifications; the message shows everything. */
  summaryChars: 250,
  /** D universal actions: an invoke is answered within 10 seconds, or Teams shows an error and may repeat it. */
  tapDeadlineMs: 5_000,
  tapLifeMs: 10_000,
  toastChars: 250,
  /** D bots/how-to/rate-limit: messages to one conversation by one bot; 30 requests a second for an app in a tenant. */
  perAddress: [
    { count: 7, perMs: 1_000 },
    { count: 60, perMs: 30_000 },
    { count: 1_800, perMs: 3_600_000 },
  ],
  perAccountPerSecond: 30,
  /** B rest-api/bot-framework-rest-connector-authentication: clocks may differ by five minutes. */
  clockSeconds: 5 * 60,
} as const
