/**
 * The meaning of a message, independent of any channel. A message is said once in these words; each channel shows it in its own way
 * or says what it could not show. The names and fields are a contract with authors of messages: agents, plugins, the API.
 */

export const tones = ['neutral', 'info', 'success', 'warning', 'danger'] as const
export type MessagePresentationTone = (typeof tones)[number]

export const buttonStyles = ['primary', 'secondary', 'success', 'danger'] as const
export type MessagePresentationButtonStyle = (typeof buttonStyles)[number]

export type MessagePresentation = {
  tone?: MessagePresentationTone
  title?: string
  blocks: MessagePresentationBlock[]
}

export type MessagePresentationBlock =
  | { type: 'text'; text: string }
  | { type: 'context'; text: string }
  | { type: 'divider' }
  | { type: 'buttons'; buttons: MessagePresentationButton[] }
  | { type: 'select'; placeholder?: string; options: MessagePresentationOption[] }
  | { type: 'image'; url: string; alt: string }
  | MessagePresentationTable
  | MessagePresentationChart

export type MessagePresentationButton = {
  label: string
  /** Older spelling of `action: { type: 'callback' }`; never shown to people. */
  value?: string
  /** Older spelling of `action: { type: 'url' }`. */
  url?: string
  style?: MessagePresentationButtonStyle
  /** Action of a tap. Takes precedence over `value` and `url`. */
  action?: MessagePresentationAction
  /** Order of removal when a channel cannot show all: the highest stays, then the author's order. 0 by default. */
  priority?: number
  disabled?: boolean
  /** A button is taken away after its first use unless this is true. */
  reusable?: boolean
  /** Asked before the tap counts, on channels that can. */
  confirm?: string
}

export type MessagePresentationOption = {
  label: string
  value: string
  action?: Extract<MessagePresentationAction, { type: 'callback' | 'command' }>
}

export const approvalKinds = ['exec', 'plugin'] as const
export const approvalDecisions = ['allow-once', 'allow-always', 'deny'] as const

export type MessagePresentationAction =
  | { type: 'callback'; value: string }
  | { type: 'url'; url: string }
  | { type: 'command'; command: string }
  | { type: 'question'; questionId: string; optionValue: string }
  | {
      type: 'approval'
      approvalId: string
      approvalKind: (typeof approvalKinds)[number]
      decision: (typeof approvalDecisions)[number]
    }
  | { type: 'copy-text'; text: string }
  /** The tap goes to this plugin. The server names it, so that no other author sends taps there. */
  | { type: 'plugin'; plugin: string; value: string }

export type MessagePresentationTable = {
  type: 'table'
  caption?: string
  headers: string[]
  /** Each as long as `headers`. */
  rows: (string | number)[][]
}

export const chartTypes = ['pie', 'bar', 'area', 'line'] as const

export type MessagePresentationChart = {
  type: 'chart'
  chartType: (typeof chartTypes)[number]
  title?: string
  xLabel?: string
  yLabel?: string
  categories: string[]
  /** `values` has one number for each category. */
  series: { name: string; values: number[] }[]
}

/** The action of a button, in whichever form it was written. */
export function actionOf(button: MessagePresentationButton | MessagePresentationOption): MessagePresentationAction {
  if (button.action) return button.action
  if ('url' in button && button.url !== undefined) return { type: 'url', url: button.url }
  return { type: 'callback', value: button.value ?? '' }
}
