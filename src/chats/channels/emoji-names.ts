/** Names of the emoji that agents react with most. Slack and Mattermost know an emoji by its name alone. */
const names: Readonly<Record<string, string>> = {
  '👍': '+1',
  '👎': '-1',
  '❤️': 'heart',
  '❤': 'heart',
  '🎉': 'tada',
  '👀': 'eyes',
  '✅': 'white_check_mark',
  '✔️': 'heavy_check_mark',
  '❌': 'x',
  '⚠️': 'warning',
  '🙏': 'pray',
  '👏': 'clap',
  '🔥': 'fire',
  '🚀': 'rocket',
  '💯': '100',
  '🤔': 'thinking_face',
  '😄': 'smile',
  '😂': 'joy',
  '😕': 'confused',
  '😢': 'cry',
  '⏳': 'hourglass_flowing_sand',
}

/** A name, also between colons, stays as it is. */
export const toEmojiName = (emoji: string): string => names[emoji] ?? emoji.replaceAll(':', '')
