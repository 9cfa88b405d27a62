/** D im-v1 message-reaction, emoji types: Feishu has its own set, by name. */
const types: Readonly<Record<string, string>> = {
  '👍': 'THUMBSUP',
  '👎': 'ThumbsDown',
  '👌': 'OK',
  '👏': 'APPLAUSE',
  '👋': 'WAVE',
  '💪': 'MUSCLE',
  '🙏': 'THANKS',
  '❤': 'HEART',
  '🎉': 'PARTY',
  '🔥': 'Fire',
  '💯': 'Hundred',
  '✅': 'CheckMark',
  '❌': 'CrossMark',
  '😂': 'LOL',
  '😊': 'SMILE',
  '😮': 'WOW',
  '😢': 'CRY',
  '🤔': 'THINKING',
  '👀': 'GLANCE',
}

/** The name of an emoji; a name is taken as it is. */
export const toEmojiType = (emoji: string): string => types[emoji.replace(/\uFE0F$/, '')] ?? emoji.replaceAll(':', '')
