import { type TappableAction, encodeAction, encodeToken } from '../message/action-value.ts'
import type { ActionLimits, TextEncoding } from '../message/channel-capabilities.ts'
import { type MessagePresentationButton, actionOf } from '../message/presentation.ts'
import type { AdaptedButton } from '../../ports/channel.ts'
import { byteLength, cutLabel, measure } from './measure.ts'

/** Gives a value a short name that the store knows again, also after a restart. */
export type Tokens = {
  tokenFor(value: string): string
  /** `always` keeps every value at home, so that nothing in a button can be forged. Only long ones unless said. */
  when?: 'long' | 'always'
  /** A value that its author signed, and that therefore goes out as it is. */
  isSigned?(value: string): boolean
}

/** A button as the platform can take it, or why it cannot. */
export type PreparedButton =
  | { button: AdaptedButton; changes: { from: string; to: string; why: string }[]; isCut: boolean }
  | { refused: string }

export function prepareButton(
  button: MessagePresentationButton,
  limits: ActionLimits,
  encoding: TextEncoding,
  tokens: Tokens,
): PreparedButton {
  const press = getPress(button, limits, encoding, tokens)
  if ('refused' in press) return press
  const label = limits.maxLabelLength === undefined ? button.label : cutLabel(button.label, limits.maxLabelLength, encoding)
  const isCut = label !== button.label
  const style = button.style && limits.styles?.includes(button.style) ? button.style : undefined
  const { maxConfirmLength: maxConfirm } = limits
  const confirm = button.confirm !== undefined && measure(button.confirm, encoding) <= (maxConfirm ?? 0) ? button.confirm : undefined
  const changes = [
    ...(isCut
      ? [{ from: 'its whole label', to: 'a shortened label, listed in full', why: `labels take ${limits.maxLabelLength} ${encoding}` }]
      : []),
    ...(button.confirm !== undefined && confirm === undefined
      ? [
          {
            from: 'a question before the tap',
            to: 'no question',
            why: maxConfirm === undefined ? 'the channel cannot ask first' : `such a question takes ${maxConfirm} ${encoding}`,
          },
        ]
      : []),
    ...(button.style && !style ? [{ from: `style ${button.style}`, to: 'no style', why: 'the channel does not show that style' }] : []),
  ]
  const more = { ...(style && { style }), ...(button.reusable && { reusable: true }), ...(confirm !== undefined && { confirm }) }
  return { button: { label, press, ...more }, changes, isCut }
}

function getPress(
  button: MessagePresentationButton,
  limits: ActionLimits,
  encoding: TextEncoding,
  tokens: Tokens,
): AdaptedButton['press'] | { refused: string } {
  if (button.disabled) return limits.supportsDisabled ? { type: 'none' } : { refused: 'the channel has no disabled controls' }
  const action = actionOf(button)
  if (action.type === 'url') return urlFault(action.url, limits) ?? action
  if (action.type === 'copy-text') {
    if (!limits.supportsCopyText) return { refused: 'the channel has no button that copies' }
    const longest = limits.maxCopyTextLength ?? Infinity
    return measure(action.text, encoding) <= longest ? action : { refused: `a copied text takes ${longest} ${encoding}` }
  }
  const value = valueFor(action, limits.maxValueBytes, tokens)
  return value === undefined ? { refused: `values take ${limits.maxValueBytes} bytes` } : { type: 'value', value }
}

/** The action as it travels: itself, or a token for it. Undefined when not even a token fits. */
export function valueFor(action: TappableAction, maxBytes: number | undefined, tokens: Tokens): string | undefined {
  const fits = (value: string): boolean => maxBytes === undefined || byteLength(value) <= maxBytes
  const value = encodeAction(action)
  if (value !== '' && (tokens.when !== 'always' || tokens.isSigned?.(value)) && fits(value)) return value
  const token = encodeToken(tokens.tokenFor(value))
  return fits(token) ? token : undefined
}

function urlFault(url: string, { maxUrlLength, urlSchemes, publicUrlsOnly }: ActionLimits): { refused: string } | undefined {
  if (maxUrlLength !== undefined && url.length > maxUrlLength) return { refused: `links take ${maxUrlLength} characters` }
  if (!URL.canParse(url)) return { refused: 'the link is not whole' }
  const { protocol, hostname } = new URL(url)
  if (urlSchemes && !urlSchemes.includes(protocol.replace(':', ''))) return { refused: `the channel opens no ${protocol} links` }
  if (publicUrlsOnly && /^https?:$/.test(protocol) && !hostname.includes('.')) return { refused: 'the channel opens only public links' }
  return undefined
}
