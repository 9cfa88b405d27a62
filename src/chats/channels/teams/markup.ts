import { spellMarkdown, type Spelling } from '../markdown.ts'

type Words = { text: string; format: 'markdown' | 'plain' }

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll('\n', '<br/>')

/** Text of a message without a card. D bots/how-to/format-your-bot-messages, textFormat xml. */
const xml: Spelling = {
  escape: escapeXml,
  bold: (inside) => `<b>${inside}</b>`,
  italic: (inside) => `<i>${inside}</i>`,
  strike: (inside) => `<s>${inside}</s>`,
  code: (text) => `<code>${escapeXml(text)}</code>`,
  codeBlock: (text) => `<pre>${escapeXml(text)}</pre>`,
  quote: (inside) => `<blockquote>${inside.replaceAll('\n', '<br/>')}</blockquote>`,
  link: (inside, url) => `<a href="${escapeXml(url)}">${inside}</a>`,
}

/** Lines that are spelled already are joined by line breaks; a paragraph or a quote is a line of its own anyway. */
export const toXml = ({ text, format }: Words): string =>
  format === 'plain'
    ? escapeXml(text)
    : spellMarkdown(text, xml)
        .replaceAll(/(?<=<\/(?:pre|blockquote)>)\n|\n(?=<(?:pre|blockquote)>)/g, '')
        .replaceAll('\n', '<br/>')

/** A backslash before a sign is the sign itself. Lists and headings begin a line. */
const escapeCard = (text: string): string =>
  text.replaceAll(/[\\*_~`[\]<]|^(?:[#>+-]|\d+(?=[.)]))/gm, (sign) => (/\d/.test(sign) ? `${sign}\\` : `\\${sign}`))

/** A TextBlock knows bold, italic, lists and links: A authoring-cards/text-features. */
const card: Spelling = {
  escape: escapeCard,
  bold: (inside) => `**${inside}**`,
  italic: (inside) => `_${inside}_`,
  strike: (inside) => inside,
  code: escapeCard,
  codeBlock: escapeCard,
  quote: (inside) => inside,
  link: (inside, url) => `[${inside}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`,
}

/** In a TextBlock one line break is a space, and two begin a line. */
const toLines = (text: string): string => text.replaceAll(/\n+/g, '\n\n')

export const toCardMarkdown = (markdown: string): string => toLines(spellMarkdown(markdown, card))
export const escapeForCard = (text: string): string => toLines(escapeCard(text))
