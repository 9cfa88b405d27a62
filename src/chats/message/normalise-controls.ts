import type { Drop } from './normalise-blocks.ts'
import {
  type MessagePresentationAction,
  type MessagePresentationButton,
  type MessagePresentationOption,
  buttonStyles,
} from './presentation.ts'
import { type Fields, isFields, lineOf, numberOf, oneOf, opaqueOf, own, textOf, urlOf } from './untrusted.ts'

const labelOf = (input: Fields): string | undefined => lineOf(own(input, 'label')) ?? lineOf(own(input, 'text'))

const valueOf = (input: Fields): string | undefined =>
  opaqueOf(own(input, 'value')) ?? opaqueOf(own(input, 'callback_data')) ?? opaqueOf(own(input, 'callbackData'))

export function normaliseButton(input: unknown, drop: Drop, at: string): MessagePresentationButton | undefined {
  if (!isFields(input)) return drop(at, 'it is not an object')
  const label = labelOf(input)
  if (label === undefined) return drop(at, 'it has no label')
  const value = valueOf(input)
  const url = urlOf(own(input, 'url'))
  const action = normaliseAction(own(input, 'action'))
  if (own(input, 'url') !== undefined && url === undefined) drop(`${at}.url`, 'it is not an address that can be opened')
  if (own(input, 'action') !== undefined && !action) drop(`${at}.action`, 'it is not a known action')
  if (!action && value === undefined && url === undefined) return drop(at, 'it has no action, no value and no url')
  const style = oneOf(own(input, 'style'), buttonStyles)
  if (own(input, 'style') !== undefined && !style) drop(`${at}.style`, 'it is not a known style')
  const priority = numberOf(own(input, 'priority'))
  return {
    label,
    ...(value !== undefined && { value }),
    ...(url !== undefined && { url }),
    ...(style && { style }),
    ...(action && { action }),
    ...(priority !== undefined && { priority }),
    ...(own(input, 'disabled') === true && { disabled: true }),
    ...(own(input, 'reusable') === true && { reusable: true }),
  }
}

export function normaliseOption(input: unknown, drop: Drop, at: string): MessagePresentationOption | undefined {
  if (!isFields(input)) return drop(at, 'it is not an object')
  const label = labelOf(input)
  if (label === undefined) return drop(at, 'it has no label')
  const given = normaliseAction(own(input, 'action'))
  const action = given?.type === 'callback' || given?.type === 'command' ? given : undefined
  if (own(input, 'action') !== undefined && !action) drop(`${at}.action`, 'an option takes only a callback or a command')
  const value = valueOf(input) ?? (action?.type === 'callback' ? action.value : action?.command)
  if (value === undefined) return drop(at, 'it has no value')
  return { label, value, ...(action && { action }) }
}

/** `question` and `approval` are missing on purpose: a tap on them decides for a person, so only the server makes them. */
function normaliseAction(input: unknown): MessagePresentationAction | undefined {
  if (!isFields(input)) return undefined
  const type = own(input, 'type')
  switch (type) {
    case 'callback': {
      const value = opaqueOf(own(input, 'value'))
      return value === undefined ? undefined : { type, value }
    }
    case 'url': {
      const url = urlOf(own(input, 'url'))
      return url === undefined ? undefined : { type, url }
    }
    case 'command': {
      const command = lineOf(own(input, 'command'))
      return command === undefined ? undefined : { type, command }
    }
    case 'copy-text': {
      const text = textOf(own(input, 'text'))
      return text === undefined ? undefined : { type, text }
    }
    default:
      return undefined
  }
}
