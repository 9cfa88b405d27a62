import { spellMarkdown, type Spelling } from '../markdown.ts'

/** A link that Feishu finds by itself would contain the entities. */
const bareUrl = /https?:\/\/[^\s<>()[\]*`"']+[^\s<>()[\]*`"'.,:;!?]/g

/**
 * Feishu shows these signs as such when they are written as entities (D card-json-v2 rich-text, escaping). Headings, quotes and
 * lists begin a line; an ampersand may begin an entity and a colon an emoji.
 */
const signs = /[*_~`[\]<>\\|$]|&(?=[#\w])|:(?=\w+:)|^[ \t]*(?:[#+-]|\d+(?=[.)]))/gm

const entity = (sign: string): string => sign.replace(/\S$/, (last) => `&#${last.charCodeAt(0)};`)

const escapeWords = (text: string): string =>
  text.replaceAll(signs, (sign) => (/\d/.test(sign) ? sign.replace(/\d/, (digit) => `&#${digit.charCodeAt(0)};`) : entity(sign)))

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

const feishu: Spelling = {
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
  link: (inside, url) => `[${inside}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`,
}

export const toFeishuMarkdown = (markdown: string): string => spellMarkdown(markdown, feishu)
