import type { MessagePresentationButton } from '../../src/chats/message/presentation.ts'
import type { ReplyPayload } from '../../src/chats/message/reply-payload.ts'

const family = '👨‍👩‍👧‍👦'
const one = (button: MessagePresentationButton): ReplyPayload => ({
  text: 'Edge',
  presentation: { blocks: [{ type: 'buttons', buttons: [button] }] },
})

/** One below, at and one above: each limit, in the unit the platform counts in and in those it does not. */
function around(name: string, limit: number, make: (size: number) => ReplyPayload): Record<string, ReplyPayload> {
  return Object.fromEntries([limit - 1, limit, limit + 1].map((size) => [`edge-${name}-${size}`, make(size)]))
}

export const edges: Record<string, ReplyPayload> = {
  ...around('text-letters', 4096, (size) => ({ text: 'x'.repeat(size) })),
  // A smiley is one code point, two UTF-16 units and four bytes.
  ...around('text-smileys', 2048, (size) => ({ text: '😀'.repeat(size) })),
  // Three bytes each, one unit.
  ...around('text-chinese', 4096, (size) => ({ text: '中'.repeat(size) })),
  // One grapheme of seven code points and eleven units.
  ...around('text-families', 372, (size) => ({ text: family.repeat(size) })),
  ...around('text-title', 4096 - 7, (size) => ({ text: 'x'.repeat(size), presentation: { title: 'Title', blocks: [] } })),
  ...around('value-bytes', 64, (size) => one({ label: 'V', value: 'v'.repeat(size) })),
  ...around('value-chinese', 21, (size) => one({ label: 'V', value: '中'.repeat(size) })),
  ...around('label-letters', 64, (size) => one({ label: 'L'.repeat(size), value: 'v' })),
  ...around('label-smileys', 32, (size) => one({ label: '😀'.repeat(size), value: 'v' })),
  ...around('label-families', 5, (size) => one({ label: family.repeat(size), value: 'v' })),
  ...around('copy-text', 256, (size) => one({ label: 'C', action: { type: 'copy-text', text: 'c'.repeat(size) } })),
  ...around('caption', 1024, (size) => ({
    presentation: { blocks: [{ type: 'image', url: 'https://example.org/i.png', alt: 'a'.repeat(size) }] },
  })),
  'edge-escaped-text-4096': { text: '<&>"'.repeat(1024) },
  'edge-value-like-a-token': one({ label: 'V', value: 'p1:t:forged' }),
  'edge-paragraphs': {
    text: Array.from({ length: 9 }, (_, at) => `Paragraph ${at + 1}. ${'Some words follow. '.repeat(50)}`).join('\n\n'),
  },
  'edge-code': {
    text: `Look:\n\n\`\`\`ts\n${Array.from({ length: 300 }, (_, at) => `const line${at + 1} = ${at + 1} < 0`).join('\n')}\n\`\`\`\n\nThat is all.`,
  },
  'edge-formatting-101': { text: Array.from({ length: 101 }, (_, at) => `**w${at + 1}**`).join(' ') },
  'edge-listed-controls-spill': {
    text: 'x'.repeat(4000),
    presentation: {
      blocks: [
        { type: 'buttons', buttons: Array.from({ length: 120 }, (_, at) => ({ label: `Number ${at + 1}`, value: String(at + 1) })) },
      ],
    },
  },
}
