import type { ReplyPayload } from '../chats/message/reply-payload.ts'

const button = (label: string, value: string) => ({ label, value })
const buttons = (count: number) => ({
  type: 'buttons' as const,
  buttons: Array.from({ length: count }, (_, index) => button(`Button ${index}`, `b${index}`)),
})
const options = (count: number, label: string) => ({
  type: 'select' as const,
  placeholder: 'Choose one',
  options: Array.from({ length: count }, (_, index) => ({ label: `${label} ${index}`, value: `o${index}` })),
})
const texts = (count: number) => Array.from({ length: count }, (_, index) => ({ type: 'text' as const, text: `Paragraph ${index}` }))

/** Messages that every channel has to render: each kind of block, and those that break limits. */
export const contractMessages: Readonly<Record<string, ReplyPayload>> = {
  text: { text: 'Hello *there*, `code` and [a link](https://example.org/a?b=1&c=2)' },
  escapes: { text: `${'&'.repeat(2_900)} <b>not bold</b> @everyone <!channel>` },
  long: { text: 'A sentence with several words. '.repeat(1_000) },
  fence: { text: `\`\`\`ts\n${'const one = 1\n'.repeat(700)}\`\`\`` },
  scripts: { text: '你好，世界。'.repeat(900) },
  card: {
    presentation: {
      tone: 'warning',
      title: 'A title',
      blocks: [
        { type: 'text', text: 'Words' },
        { type: 'divider' },
        { type: 'context', text: 'Small print' },
        { type: 'image', url: 'https://example.org/i.png', alt: 'A cat' },
        { type: 'table', headers: ['Name', 'Count'], rows: [['Tea', 2]] },
        buttons(3),
        options(3, 'Option'),
      ],
    },
  },
  links: { text: 'See', presentation: { blocks: [{ type: 'buttons', buttons: [{ label: 'Open', url: 'https://example.org/' }] }] } },
  manyTexts: { presentation: { blocks: [...texts(25), buttons(25)] } },
  manyButtons: { presentation: { blocks: [...texts(45), buttons(200)] } },
  manyOptions: { presentation: { blocks: [options(100, 'A long label of an option that takes most of its place')] } },
  controlsOnly: { presentation: { blocks: [buttons(2)] } },
}
