import { spellMarkdown, type Spelling } from '../markdown.ts'

const same = (text: string): string => text

/** LINE shows no markup: the words stay, and a link is followed by its address. */
const plain: Spelling = {
  escape: same,
  bold: same,
  italic: same,
  strike: same,
  code: same,
  codeBlock: same,
  quote: (inside) =>
    inside
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n'),
  link: (inside, url) => (inside === url ? url : `${inside} (${url})`),
}

/** A text of a message as it is shown. */
export const toShown = ({ text, format }: { text: string; format: 'markdown' | 'plain' }): string =>
  format === 'plain' ? text : spellMarkdown(text, plain)
