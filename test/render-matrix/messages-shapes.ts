import type { MessagePresentationBlock } from '../../src/chats/message/presentation.ts'
import type { ReplyPayload } from '../../src/chats/message/reply-payload.ts'

const text = (words: string): MessagePresentationBlock => ({ type: 'text', text: words })
const divider: MessagePresentationBlock = { type: 'divider' }
const yesNo: MessagePresentationBlock = {
  type: 'buttons',
  buttons: [
    { label: 'Yes', value: 'yes', style: 'primary' },
    { label: 'No', value: 'no' },
  ],
}
const table: MessagePresentationBlock = {
  type: 'table',
  caption: 'Stock',
  headers: ['Item', 'Left'],
  rows: [
    ['Tea', 4],
    ['Milk', 0],
  ],
}
const chart: MessagePresentationBlock = {
  type: 'chart',
  chartType: 'bar',
  title: 'Sold',
  xLabel: 'month',
  yLabel: 'pieces',
  categories: ['Jan', 'Feb'],
  series: [
    { name: 'Tea', values: [3, 4.5] },
    { name: 'Milk', values: [1, 2] },
  ],
}
const image: MessagePresentationBlock = { type: 'image', url: 'https://example.org/cat.png', alt: 'A cat <asleep>' }

/** Every kind of block, alone and together; text, title and blocks in all mixtures; nothing at all. */
export const shapes: Record<string, ReplyPayload> = {
  'shape-empty': {},
  'shape-text-only': { text: 'Just words.' },
  'shape-title-only': { presentation: { title: 'Only a title', blocks: [] } },
  'shape-divider-only': { presentation: { blocks: [divider] } },
  'shape-text-and-title': { text: 'Hello.', presentation: { title: 'Disk', blocks: [] } },
  'shape-text-title-blocks': {
    text: 'Hello.',
    presentation: { tone: 'warning', title: 'Disk', blocks: [text('It is **90 %** full.'), { type: 'context', text: 'node 7' }, yesNo] },
  },
  'shape-title-blocks': { presentation: { title: 'Lunch?', blocks: [yesNo] } },
  'shape-text-repeats-title': { text: 'Lunch?', presentation: { title: 'Lunch?', blocks: [yesNo] } },
  'shape-text-repeats-all': { text: 'Lunch?\n\n- Yes\n- No', presentation: { title: 'Lunch?', blocks: [yesNo] } },
  'shape-text-ends-with-all': { text: 'Ben asks:\n\nLunch?\n\n- Yes\n- No', presentation: { title: 'Lunch?', blocks: [yesNo] } },
  'shape-tone-info': { presentation: { tone: 'info', title: 'For your information', blocks: [] } },
  'shape-tone-success': { presentation: { tone: 'success', title: 'Done', blocks: [] } },
  'shape-tone-danger-no-title': { presentation: { tone: 'danger', blocks: [text('The kitchen burns.')] } },
  'shape-tone-neutral': { presentation: { tone: 'neutral', title: 'Calm', blocks: [] } },
  'shape-dividers': { presentation: { blocks: [divider, text('one'), divider, divider, text('two'), divider] } },
  'shape-context': {
    presentation: {
      blocks: [
        { type: 'context', text: 'from the archive' },
        { type: 'context', text: 'with **weight**' },
      ],
    },
  },
  'shape-table': { presentation: { blocks: [table] } },
  'shape-chart': { presentation: { blocks: [chart] } },
  'shape-pie': {
    presentation: { blocks: [{ type: 'chart', chartType: 'pie', categories: ['a', 'b'], series: [{ name: '', values: [1, 2] }] }] },
  },
  'shape-image': { presentation: { blocks: [image] } },
  'shape-image-without-words': { presentation: { blocks: [{ type: 'image', url: 'https://example.org/cat.png', alt: '' }] } },
  'shape-image-between': { text: 'Before', presentation: { title: 'T', blocks: [image, text('after'), yesNo] } },
  'shape-image-with-buttons': { presentation: { blocks: [image, yesNo] } },
  'shape-data-in-words': { text: 'Tea 4, milk 0.', presentationTextMode: 'fallback', presentation: { title: 'Stock', blocks: [table] } },
  'shape-data-in-words-and-buttons': {
    text: 'Tea 4, milk 0.',
    presentationTextMode: 'fallback',
    presentation: { title: 'Stock', blocks: [table, yesNo] },
  },
  'shape-buttons-only': { presentation: { blocks: [yesNo] } },
  'shape-markdown': {
    text: '# Head\n\n**bold** _slanted_ ~~gone~~ `code` [link](https://example.org/?a=1&b=2)\n\n- one\n- two\n\n> quoted\n\n```ts\nif (a < b && c) {}\n```',
  },
  'shape-hostile': {
    text: '<b>not bold</b> & &lt; </pre> <script>alert(1)</script> [x](javascript:1) **a',
    presentation: { title: '<i>"title"</i> & more', blocks: [] },
  },
}
