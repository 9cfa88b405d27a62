import type { MessagePresentationBlock, MessagePresentationButton } from '../../src/chats/message/presentation.ts'
import type { ReplyPayload } from '../../src/chats/message/reply-payload.ts'

const withBlocks = (...blocks: MessagePresentationBlock[]): ReplyPayload => ({ presentation: { title: 'Pick', blocks } })
const buttons = (...all: MessagePresentationButton[]): MessagePresentationBlock => ({ type: 'buttons', buttons: all })
const numbered = (count: number, more: (at: number) => Partial<MessagePresentationButton> = () => ({})): MessagePresentationBlock =>
  buttons(...Array.from({ length: count }, (_, at) => ({ label: `B${at + 1}`, value: `b${at + 1}`, ...more(at) })))
const options = (count: number): MessagePresentationBlock => ({
  type: 'select',
  placeholder: 'Size',
  options: Array.from({ length: count }, (_, at) => ({ label: `Size ${at + 1}`, value: `s${at + 1}` })),
})

/** Everything a tap can mean, and more controls than there are places. */
export const controls: Record<string, ReplyPayload> = {
  'control-actions': withBlocks(
    buttons(
      { label: 'Callback', action: { type: 'callback', value: 'cb' } },
      { label: 'Link', action: { type: 'url', url: 'https://example.org/x?a=1&b=2' } },
      { label: 'Command', action: { type: 'command', command: '/status' } },
      { label: 'Question', action: { type: 'question', questionId: 'q_1', optionValue: 'yes' } },
      { label: 'Approve', action: { type: 'approval', approvalId: 'a_1', approvalKind: 'exec', decision: 'allow-once' } },
      { label: 'Copy', action: { type: 'copy-text', text: 'npm test' } },
    ),
  ),
  'control-styles': withBlocks(
    buttons(...(['primary', 'secondary', 'success', 'danger'] as const).map((style) => ({ label: style, value: style, style }))),
  ),
  'control-disabled': withBlocks(buttons({ label: 'Off', value: 'off', disabled: true }, { label: 'On', value: 'on' })),
  'control-older-spelling': withBlocks(buttons({ label: 'Value', value: 'v' }, { label: 'Url', url: 'https://example.org/' })),
  'control-link-to-localhost': withBlocks(
    buttons({ label: 'Local', url: 'http://localhost:8080/' }, { label: 'Mail', url: 'mailto:a@example.org' }),
  ),
  'control-copy-lines': withBlocks(buttons({ label: 'Copy', action: { type: 'copy-text', text: 'two\nlines' } })),
  'control-select': withBlocks(options(3)),
  'control-select-nameless': withBlocks({
    type: 'select',
    options: [
      { label: 'One', value: '1' },
      { label: 'Two', action: { type: 'command', command: '/two' }, value: '2' },
    ],
  }),
  'control-select-and-buttons': withBlocks(options(2), numbered(2)),
  'control-two-blocks': withBlocks(numbered(2), { type: 'text', text: 'or' }, numbered(2)),
  'control-row-7': withBlocks(numbered(7)),
  'control-row-8': withBlocks(numbered(8)),
  'control-row-9': withBlocks(numbered(9)),
  'control-count-99': withBlocks(numbered(99)),
  'control-count-100': withBlocks(numbered(100)),
  'control-count-101': withBlocks(numbered(101)),
  'control-count-101-priority': withBlocks(numbered(101, (at) => (at === 100 ? { priority: 1 } : {}))),
  'control-keyboard-too-heavy': withBlocks(
    numbered(100, (at) => ({ label: `A rather long label number ${at + 1}`, value: 'v'.repeat(64) })),
  ),
  'control-text-after': withBlocks(numbered(1), { type: 'text', text: 'and then some' }),
  'control-reply-end': {
    text: 'Done.',
    presentation: {
      blocks: [buttons({ label: 'A. 繼續', value: 'pe1:c:x:y' }, { label: 'B. 就這樣吧,不需要額外處理', value: 'pe1:s:x:y' })],
    },
  },
}
