import { spellMarkdown, type Spelling } from '../markdown.ts'

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

function escape(text: string): string {
  let output = ''
  let from = 0
  for (const { index, 0: url } of text.matchAll(bareUrl)) {
    output += escapeWords(text.slice(from, index)) + url
    from = index + url.length
  }
  return output + escapeWords(text.slice(from))
}

/** Text to the letter: names of emoji are not replaced either. */
export const escapeMarkdown = (text: string): string => escape(text).replaceAll(/:(?=[\w+-]{1,64}:)/g, `:${gap}`)

/** Code ends at the next run of as many backticks, so it stands between more than it holds. */
function code(text: string): string {
  const runs = text.match(/`+/g) ?? []
  const mark = '`'.repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1)
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${mark}${space}${text}${space}${mark}`
}

const mattermost: Spelling = {
  escape,
  bold: (inside) => `**${inside}**`,
  italic: (inside) => `*${inside}*`,
  strike: (inside) => `~~${inside}~~`,
  code,
  // Three backticks would end the block.
  codeBlock: (text, language) => `\`\`\`${language}\n${text.replaceAll('```', `\`${gap}\`\``)}\n\`\`\``,
  quote: (inside) =>
    inside
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n'),
  link: (inside, url) => `[${inside}](<${url}>)`,
}

export const toMattermostMarkdown = (markdown: string): string => spellMarkdown(markdown, mattermost)
