import { type MessagePresentationAction, approvalDecisions as decisions, approvalKinds as kinds } from './presentation.ts'

/**
 * The value inside a button. A callback's value travels as it is; every other action begins with a mark, so that
 * nothing is ever guessed from the look of a string. A value that begins like a mark gets one of its own.
 */
const mark = 'p1:'

/** The value of a tap: the action itself, or the token of one in the store. */
export type TappedValue = { action: MessagePresentationAction } | { token: string } | { unreadable: true }

export type TappableAction = Exclude<MessagePresentationAction, { type: 'url' | 'copy-text' }>

export function encodeAction(action: TappableAction): string {
  switch (action.type) {
    case 'callback':
      return action.value.startsWith(mark) ? `${mark}v:${action.value}` : action.value
    case 'command':
      return `${mark}c:${action.command}`
    case 'question':
      return `${mark}q:${encodeURIComponent(action.questionId.toWellFormed())}:${action.optionValue}`
    case 'approval':
      return `${mark}a:${kinds.indexOf(action.approvalKind)}${decisions.indexOf(action.decision)}:${action.approvalId}`
    case 'plugin':
      return `${mark}g:${encodeURIComponent(action.plugin.toWellFormed())}:${action.value}`
  }
}

export const encodeToken = (token: string): string => `${mark}t:${token}`

export function decodeAction(value: string): TappedValue {
  if (!value.startsWith(mark)) return { action: { type: 'callback', value } }
  const kind = value.slice(mark.length, mark.length + 2)
  const rest = value.slice(mark.length + 2)
  if (rest === '') return { unreadable: true }
  if (kind === 't:') return { token: rest }
  if (kind === 'v:') return { action: { type: 'callback', value: rest } }
  if (kind === 'c:') return { action: { type: 'command', command: rest } }
  if (kind === 'q:') return decodePair(rest, (questionId, optionValue) => ({ type: 'question', questionId, optionValue }))
  if (kind === 'g:') return decodePair(rest, (plugin, data) => ({ type: 'plugin', plugin, value: data }))
  if (kind === 'a:') return decodeApproval(rest)
  return { unreadable: true }
}

function decodePair(rest: string, make: (name: string, value: string) => MessagePresentationAction): TappedValue {
  const colon = rest.indexOf(':')
  if (colon <= 0) return { unreadable: true }
  try {
    return { action: make(decodeURIComponent(rest.slice(0, colon)), rest.slice(colon + 1)) }
  } catch {
    return { unreadable: true }
  }
}

function decodeApproval(rest: string): TappedValue {
  const [, first, second, approvalId] = /^(\d)(\d):([\s\S]+)$/.exec(rest) ?? []
  const approvalKind = kinds[Number(first)]
  const decision = decisions[Number(second)]
  if (approvalId === undefined || approvalKind === undefined || decision === undefined) return { unreadable: true }
  return { action: { type: 'approval', approvalId, approvalKind, decision } }
}
