/**
 * Limits of Feishu, each with its source. D = https://open.feishu.cn/document; S = the texts of @larksuiteoapi/node-sdk 1.74.0;
 * C = measured by others and not documented by the platform.
 */
export const feishuLimits = {
  /** D im-v1 message create: a card or post has 30 KB at most. The rest is for its frame, header and summary. */
  cardBytes: 28_000,
  /** C @openclaw/feishu, riba2534/feishu-cli: objects with a tag in a card, nested ones counted. The rest is for the header. */
  elements: 198,
  /** C @openclaw/feishu, riba2534/feishu-cli: five tables in a card. Each counts as forty elements, so a card holds four at most. */
  elementsOfTable: 40,
  /** D card-json-v2 table: 50 columns, 10 rows on a page. */
  tableColumns: 50,
  tablePageRows: 10,
  /** Longer messages are cards that people do not read to the end; the next card goes on. */
  cardChars: 8_000,
  /** A table of this length fits a card whatever its characters are. */
  blockChars: 4_000,
  /** The header of a card is cut on phones after a few lines; longer titles are text. */
  titleChars: 200,
  /** The preview in the list of chats. */
  summaryChars: 100,
  /** C five columns stay readable on a phone. */
  buttonsPerRow: 5,
  /** Feishu states no limits for these; longer labels are cut by its apps. */
  labelChars: 100,
  placeholderChars: 100,
  confirmChars: 300,
  options: 100,
  valueBytes: 1_000,
  urlChars: 2_000,
  /** D im-v1 image create: 10 MB. D im-v1 file create: 30 MB. */
  imageBytes: 10 * 1024 * 1024,
  fileBytes: 30 * 1024 * 1024,
  /** D im-v1 message create: a uuid of at most 50 characters; of the requests with the same one, one in an hour sends a message. */
  uuidChars: 50,
  uuidForMs: 55 * 60_000,
  /** D im-v1 message patch: a card can be changed for 14 days. */
  editMs: 14 * 24 * 60 * 60_000,
  /** D card-callback-communication: a response within 3 seconds. */
  tapDeadlineMs: 3_000,
  toastChars: 200,
  /** S im.message.create: 5 messages a second for each person and each group; D 50 requests a second for an app. */
  perAddressPerSecond: 5,
  perAccountPerSecond: 50,
  /** D event subscription: an event is repeated after 15 s, 5 min, 1 h and 6 h. It has the same id each time and is stored once. */
  replayMs: 8 * 60 * 60_000,
} as const
