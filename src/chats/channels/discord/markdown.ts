import { spellMarkdown, type Spelling } from '../markdown.ts'

/** A link that Discord finds by itself would contain the backslashes. */
const bareUrl = /https?:\/\/[^\s<]+[^<.,:;"'\]\s]/g

/** Discord takes a backslash before any sign as the sign itself. Quotes, lists and headings begin a line. */
function escapeWords(text: string): string {
  return text.replaceAll(/[\\*_~`|<[\]]|:(?=\w+:)|^(?:[#>+-]|-#)/gm, (sign) => `\\${sign}`)
}

export function escapeMarkdown(text: string): string {
  let output = ''
  let from = 0
  for (const { index, 0: url } of text.matchAll(bareUrl)) {
    output += escapeWords(text.slice(from, index)) + url
    from = index + url.length
  }
  return output + escapeWords(text.slice(from))
}

/** Code ends at the next run of as many backticks, so it stands between more than it holds. */
function code(text: string): string {
  const runs = text.match(/`+/g) ?? []
  const mark = '`'.repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1)
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${mark}${space}${text}${space}${mark}`
}

const discord: Spelling = {
  escape: escapeMarkdown,
  bold: (inside) => `**${inside}**`,
  italic: (inside) => `*${inside}*`,
  strike: (inside) => `~~${inside}~~`,
  code,
  // Three backticks would end the block. The space between them has no width.
  codeBlock: (text, language) => `\`\`\`${language}\n${text.replaceAll('```', '`\u200B``')}\n\`\`\``,
  quote: (inside) =>
    inside
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n'),
  link: (inside, url) => `[${inside}](<${url}>)`,
}

export const toDiscordMarkdown = (markdown: string): string => spellMarkdown(markdown, discord)

/** Small print. Code blocks have none. */
export const toSubtext = (spelled: string): string => (spelled.includes('```') ? spelled : spelled.replaceAll(/^(?=.*\S)/gm, '-# '))
