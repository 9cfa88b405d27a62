import type { Drop } from './normalise-blocks.ts'
import {
  type MessagePresentationAction,
  type MessagePresentationButton,
  type MessagePresentationOption,
  buttonStyles,
} from './presentation.ts'
import { type Fields, toLine, getNumber, readChoice, getOpaque, own, getText, toUrl } from './untrusted.ts'
import { isRecord } from '../../shapes/record.ts'

const toLabel = (input: Fields): string | undefined => toLine(own(input, 'label')) ?? toLine(own(input, 'text'))

const readValue = (input: Fields): string | undefined =>
  getOpaque(own(input, 'value')) ?? getOpaque(own(input, 'callback_data')) ?? getOpaque(own(input, 'callbackData'))

export function normaliseButton(input: unknown, drop: Drop, at: string): MessagePresentationButton | undefined {
  if (!isRecord(input)) return drop(at, 'it is not an object')
  const label = toLabel(input)
  if (label === undefined) return drop(at, 'it has no label')
  const value = readValue(input)
  const url = toUrl(own(input, 'url'))
  const action = normaliseAction(own(input, 'action'))
  if (own(input, 'url') !== undefined && url === undefined) drop(`${at}.url`, 'it is not an address that can be opened')
  if (own(input, 'action') !== undefined && !action) drop(`${at}.action`, 'it is not a known action')
  if (!action && value === undefined && url === undefined) return drop(at, 'it has no action, no value and no url')
  const style = readChoice(own(input, 'style'), buttonStyles)
  if (own(input, 'style') !== undefined && !style) drop(`${at}.style`, 'it is not a known style')
  const priority = getNumber(own(input, 'priority'))
  const confirm = toLine(own(input, 'confirm'))
  return {
    label,
    ...(value !== undefined && { value }),
    ...(url !== undefined && { url }),
    ...(style && { style }),
    ...(action && { action }),
    ...(priority !== undefined && { priority }),
    ...(own(input, 'disabled') === true && { disabled: true }),
    ...(own(input, 'reusable') === true && { reusable: true }),
    ...(confirm !== undefined && { confirm }),
  }
}

/** The label of a button that names an address and can do nothing else. */
export function findDeadLabel(input: unknown): string[] | undefined {
  if (!isRecord(input)) return undefined
  const action = own(input, 'action')
  const namesAddress = own(input, 'url') !== undefined || (isRecord(action) && own(action, 'type') === 'url')
  const label = toLabel(input)
  return namesAddress && label !== undefined ? [label] : undefined
}

export function normaliseOption(input: unknown, drop: Drop, at: string): MessagePresentationOption | undefined {
  if (!isRecord(input)) return drop(at, 'it is not an object')
  const label = toLabel(input)
  if (label === undefined) return drop(at, 'it has no label')
  const ownAction = normaliseAction(own(input, 'action'))
  const action = ownAction?.type === 'callback' || ownAction?.type === 'command' ? ownAction : undefined
  if (own(input, 'action') !== undefined && !action) drop(`${at}.action`, 'an option takes only a callback or a command')
  const value = readValue(input) ?? (action?.type === 'callback' ? action.value : action?.command)
  if (value === undefined) return drop(at, 'it has no value')
  return { label, value, ...(action && { action }) }
}

/** `question`, `approval` and `plugin` are missing on purpose: only the server makes them. */
function normaliseAction(input: unknown): MessagePresentationAction | undefined {
  if (!isRecord(input)) return undefined
  const type = own(input, 'type')
  switch (type) {
    case 'callback': {
      const value = getOpaque(own(input, 'value'))
      return value === undefined ? undefined : { type, value }
    }
    case 'url': {
      const url = toUrl(own(input, 'url'))
      return url === undefined ? undefined : { type, url }
    }
    case 'command': {
      const command = toLine(own(input, 'command'))
      return command === undefined ? undefined : { type, command }
    }
    case 'copy-text': {
      const text = getText(own(input, 'text'))
      return text === undefined ? undefined : { type, text }
    }
    default:
      return undefined
  }
}
