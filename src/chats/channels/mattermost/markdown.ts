import { markdownSpelling, escapeAround, spellMarkdown, type Spelling } from '../markdown.ts'

/** A link that Mattermost finds by itself would contain the backslashes. */
const bareUrl = /https?:\/\/[^\s<]+[^<.,:;"'\]\s]/g

/** A space without width, after which Mattermost sees no mention, emoji or link. */
const gap = '\u200B'

/**
 * Mattermost takes a backslash before these signs as the sign itself. Quotes, lists and headings begin a line, and four
 * spaces there begin code. A mention would notify people, so `@` is separated from the name.
 */
function escapeWords(text: string): string {
  return text
    .replaceAll(/[\\*_~`|[\]]|^[#>+-]/gm, (sign) => `\\${sign}`)
    .replaceAll(/^(\d{1,9})([.)])/gm, '$1\\$2')
    .replaceAll(/^[ \t]{4,}|^\t+/gm, (spaces) => '\u00A0'.repeat(spaces.length))
    .replaceAll(/(?<![\w.])@(?=\w)/g, `@${gap}`)
    .replaceAll(/<(?=\w)/g, `<${gap}`)
}

const escape = (text: string): string => escapeAround(bareUrl, text, escapeWords)

/** Text to the letter: names of emoji are not replaced either. */
export const escapeMarkdown = (text: string): string => escape(text).replaceAll(/:(?=[\w+-]{1,64}:)/g, `:${gap}`)

const mattermost: Spelling = {
  ...markdownSpelling,
  escape,
  link: (inside, url) => `[${inside}](<${url}>)`,
}

export const toMattermostMarkdown = (markdown: string): string => spellMarkdown(markdown, mattermost)
