import { type Entities, spellMarkdown, type Spelling } from '../markdown.ts'

export const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const escapeAttribute = (text: string): string => escapeHtml(text).replaceAll('"', '&quot;')

const html: Spelling = {
  escape: escapeHtml,
  bold: (inside) => `<b>${inside}</b>`,
  italic: (inside) => `<i>${inside}</i>`,
  strike: (inside) => `<s>${inside}</s>`,
  code: (text) => `<code>${escapeHtml(text)}</code>`,
  codeBlock(text, language) {
    const body = escapeHtml(text)
    return language === '' ? `<pre>${body}</pre>` : `<pre><code class="language-${escapeAttribute(language)}">${body}</code></pre>`
  },
  quote: (inside) => `<blockquote>${inside}</blockquote>`,
  link: (inside, url) => `<a href="${escapeAttribute(url)}">${inside}</a>`,
}

/** Markdown to the HTML of the Bot API. */
export const markdownToHtml = (markdown: string, entities: Entities): string => spellMarkdown(markdown, html, entities)
