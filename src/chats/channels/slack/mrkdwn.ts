import { spellMarkdown, type Spelling } from '../markdown.ts'

/** D formatting-message-text: these three are control characters; mentions begin with "<" as well. */
export const escapeMrkdwn = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const mrkdwn: Spelling = {
  escape: escapeMrkdwn,
  bold: (inside) => `*${inside}*`,
  italic: (inside) => `_${inside}_`,
  strike: (inside) => `~${inside}~`,
  code: (text) => `\`${escapeMrkdwn(text)}\``,
  codeBlock: (text) => `\`\`\`\n${escapeMrkdwn(text)}\n\`\`\``,
  quote: (inside) =>
    inside
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n'),
  link: (inside, url) => `<${escapeMrkdwn(url).replaceAll('|', '%7C')}|${inside.replaceAll('|', '¦')}>`,
}

export const markdownToMrkdwn = (markdown: string): string => spellMarkdown(markdown, mrkdwn)
