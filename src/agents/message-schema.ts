import { buttonStyles, chartTypes, tones } from '../chats/message/presentation.ts'
import type { CapabilitySheet } from '../ports/channel.ts'

/** The combined abilities of the connected chat apps. */
export type Abilities = { actions: readonly MessageAction[]; presentation: boolean; pin: boolean }

export const messageActions = ['send', 'edit', 'delete', 'react', 'pin', 'unpin', 'pins'] as const
export type MessageAction = (typeof messageActions)[number]

/** An ability of any chat app is offered; on one without it, the call fails with the reason. */
export function findAbilities(sheets: readonly CapabilitySheet[]): Abilities {
  const some = (has: (sheet: CapabilitySheet) => boolean | undefined): boolean => sheets.some((sheet) => has(sheet) === true)
  const pin = some(({ delivery }) => delivery.pinSentMessage)
  const can: Record<MessageAction, boolean> = {
    send: true,
    edit: some(({ delivery }) => delivery.editing.ability !== 'none'),
    delete: some(({ delivery }) => delivery.removeSentMessage),
    react: some(({ delivery }) => delivery.react),
    pin,
    unpin: pin,
    pins: pin,
  }
  return { actions: messageActions.filter((action) => can[action]), presentation: some(({ presentation }) => presentation.supported), pin }
}

const text = (description: string): object => ({ type: 'string', description })
const flag = (description: string): object => ({ type: 'boolean', description })
const list = (items: object, description?: string): object => ({ type: 'array', items, ...(description !== undefined && { description }) })
const fields = (properties: Record<string, object>, required: readonly string[] = []): object => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})

const routing = {
  channel: text('Name of the connected account; omit when there is only one.'),
  target: text('Where to: a chat as the platform writes it, such as 42, or -1001:topic:7 for a topic of a group.'),
  threadId: text('A topic of the target.'),
  dryRun: flag('Send nothing; get the requests and what would be lost.'),
}

const sending = {
  message: text('The words, in Markdown.'),
  media: text('http(s) address of a picture or file.'),
  replyTo: text('Id of a message there that this answers.'),
  silent: flag('Without a sound over there.'),
}

const action = fields({
  type: { type: 'string', enum: ['callback', 'url', 'command', 'copy-text'] },
  value: text('For callback: comes back to you when it is tapped.'),
  url: text('For url.'),
  command: text('For command.'),
  text: text('For copy-text.'),
})

const button = fields({
  label: text('What the button says.'),
  value: text('Comes back to you when it is tapped.'),
  url: text('Opens this address instead.'),
  style: { type: 'string', enum: buttonStyles },
  action,
  disabled: flag('Shown, but cannot be tapped.'),
  reusable: flag('Stays after the first tap.'),
  confirm: text('Asked before the tap counts, where the chat app can.'),
})

/**
 * One flat shape for all blocks with every field optional: some providers of models refuse a union in a schema. What does not
 * belong together is refused when the tool is called.
 */
const block = fields(
  {
    type: { type: 'string', enum: ['text', 'context', 'divider', 'buttons', 'select', 'image', 'table', 'chart'] },
    text: text('For text and context.'),
    buttons: list(button, 'For buttons.'),
    placeholder: text('For select.'),
    options: list(fields({ label: text('What it says.'), value: text('What comes back.') }), 'For select.'),
    url: text('For image.'),
    alt: text('For image: what is on it.'),
    caption: text('For table.'),
    headers: list({ type: 'string' }, 'For table.'),
    rows: list(list({ type: 'string' }), 'For table: each as long as headers.'),
    chartType: { type: 'string', enum: chartTypes },
    title: text('For chart.'),
    categories: list({ type: 'string' }, 'For chart.'),
    series: list(fields({ name: text('Its name.'), values: list({ type: 'number' }) }), 'For chart: one value for each category.'),
  },
  ['type'],
)

const presentation = fields({
  title: text('One line above everything.'),
  tone: { type: 'string', enum: tones },
  blocks: list(block),
})

/** Routing and sending, and whatever else a connected channel can do. */
export function messageSchema({ actions, presentation: shows, pin }: Abilities): object {
  const changes = actions.some((one) => one !== 'send' && one !== 'pins')
  const properties: Record<string, object> = {
    action: { type: 'string', enum: [...actions], description: 'What to do.' },
    ...routing,
    ...sending,
    ...(shows && { presentation: { ...presentation, description: 'Said once; every channel shows it in its own way.' } }),
    ...(pin && { delivery: fields({ pin: flag('Pin it once it is there.') }) }),
    ...(changes && { messageId: text("The platform's id of the message to change.") }),
    ...(actions.includes('react') && { emoji: text('For react; omit to remove yours.') }),
    ...(pin && { notify: flag('For pin: notify all members there.') }),
  }
  return { type: 'object', properties, required: ['action', 'target'], additionalProperties: false }
}
