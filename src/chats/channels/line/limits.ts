/**
 * Limits of LINE, each with its source. D = https://developers.line.biz (Messaging API reference); O = line/line-openapi;
 * C = measured by others and not documented by the platform.
 */
export const lineLimits = {
  /** D send messages: "up to 5" messages in one call. */
  messagesPerCall: 5,
  /** D text message: 5,000, counted in UTF-16 units. */
  textChars: 5_000,
  /** D text component of a Flex message; longer text takes several components. */
  flexTextChars: 2_000,
  /** C a bubble fails above 30,000 bytes of JSON; the rest is for its frame. */
  bubbleBytes: 28_000,
  /** D altText was 400 for years and is 1,500 now; it is only the notification. */
  altTextChars: 400,
  /** D label of an action: 40 in a Flex message, 20 in a quick reply. */
  labelChars: 40,
  quickReplyLabelChars: 20,
  /** D quick reply: 13 items. */
  quickReplies: 13,
  /** Buttons stand one below the other; a longer message is too long to scroll through. */
  buttons: 20,
  /** D postback action: data of 300 characters. */
  valueBytes: 300,
  /** D URI action: 1,000 characters; clipboard action: 1,000. */
  uriChars: 1_000,
  copyChars: 1_000,
  /** D image component: 2,000 characters, https. */
  imageUrlChars: 2_000,
  altChars: 1_000,
  /** D reply token: once, within one minute after the event. The rest is for the way. */
  replyTokenMs: 50_000,
  /** D retry key: valid for 24 hours after the first request. */
  retryKeyMs: 24 * 60 * 60_000,
  /** D rate limits of the endpoint for push messages: 2,000 a second. */
  perSecond: 2_000,
  /** D webhook: the response within a few seconds; the platform calls that one second. */
  tapDeadlineMs: 2_000,
  /** D redelivered events keep their time and id; after this an event is refused as a replay. */
  replayMs: 24 * 60 * 60_000,
  /** The clock of the platform may be ahead of ours by this. */
  clockMs: 5 * 60_000,
  /** D loading animation: 5 to 60 seconds, in steps of 5. */
  loadingSeconds: 5,
} as const
