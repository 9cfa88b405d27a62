import { markdownSpelling, escapeAround, spellMarkdown, type Spelling } from '../markdown.ts'

/** A link that Discord finds by itself would contain the backslashes. */
const bareUrl = /https?:\/\/[^\s<]+[^<.,:;"'\]\s]/g

/** Discord takes a backslash before any sign as the sign itself. Quotes, lists and headings begin a line. */
function escapeWords(text: string): string {
  return text.replaceAll(/[\\*_~`|<[\]]|:(?=\w+:)|^(?:[#>+-]|-#)/gm, (sign) => `\\${sign}`)
}

export const escapeMarkdown = (text: string): string => escapeAround(bareUrl, text, escapeWords)

const discord: Spelling = {
  ...markdownSpelling,
  escape: escapeMarkdown,
  link: (inside, url) => `[${inside}](<${url}>)`,
}

export const toDiscordMarkdown = (markdown: string): string => spellMarkdown(markdown, discord)

/** Small print. Code blocks have none. */
export const toSubtext = (spelled: string): string => (spelled.includes('```') ? spelled : spelled.replaceAll(/^(?=.*\S)/gm, '-# '))
