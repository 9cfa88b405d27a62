import { markdownSpelling, escapeAround, spellMarkdown, type Spelling } from '../markdown.ts'

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

export const escapeMarkdown = (text: string): string => escapeAround(bareUrl, text, escapeWords)

const feishu: Spelling = {
  ...markdownSpelling,
  escape: escapeMarkdown,
  link: (inside, url) => `[${inside}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`,
}

export const toFeishuMarkdown = (markdown: string): string => spellMarkdown(markdown, feishu)
