import { createHash } from 'node:crypto'
import { type TappableAction, encodeAction } from '../message/action-value.ts'
import { actionOf } from '../message/presentation.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'
import type { Store, ViewRow } from '../../ports/store.ts'
import type { Tokens } from '../presentation/prepare-button.ts'
import type { GivenControl, MayTap } from './delivery-events.ts'
import { deliveryLimits } from './delivery-limits.ts'
import { deliveryViews } from './delivery-rows.ts'
import type { DeliveryState } from './delivery-state.ts'

/** A control in the store. */
export type KnownControl = {
  delivery: string
  channel: string
  address: string
  about: string | null
  mayTap: MayTap
  value: string
  label: string
  isReusable: boolean
  expiresAt: number
}

/**
 * Short names for what stands behind the buttons of one delivery. The same value gets the same name each time, so a message
 * that is rendered again after a restart fits the controls already given out; they cannot be guessed, because the
 * name of the delivery is random. They become durable together with the intention to send.
 */
export function controlTokens(
  delivery: string,
  message: ReplyPayload,
  isSigned: (value: string) => boolean,
): { tokens: Tokens; given: () => GivenControl[] } {
  const controls = new Map(listControls(message).map((control) => [control.value, control]))
  const controlsByToken = new Map<string, GivenControl>()
  return {
    tokens: {
      when: 'always',
      isSigned,
      tokenFor(value) {
        const token = createHash('sha256').update(`${delivery}\0${value}`).digest('base64url').slice(0, deliveryLimits.tokenChars)
        const { label = '', isReusable = false } = controls.get(value) ?? {}
        controlsByToken.set(token, { token, value, label, isReusable })
        return token
      },
    },
    given: () => [...controlsByToken.values()],
  }
}

function listControls({ presentation }: ReplyPayload): { value: string; label: string; isReusable: boolean }[] {
  return (presentation?.blocks ?? []).flatMap((block) => {
    const controls = block.type === 'buttons' ? block.buttons : block.type === 'select' ? block.options : []
    return controls.flatMap((control) => {
      const action = actionOf(control)
      if (action.type === 'url' || action.type === 'copy-text') return []
      const isReusable = 'reusable' in control && control.reusable === true
      return [{ value: encodeAction(action satisfies TappableAction), label: control.label, isReusable }]
    })
  })
}

export function controlRow(
  { delivery, channel, address, about, mayTap }: DeliveryState,
  { token, value, label, isReusable }: GivenControl,
  expiresAt: number,
): ViewRow {
  const body: KnownControl = { delivery, channel, address, about, mayTap, value, label, isReusable, expiresAt }
  return { view: deliveryViews.controls, key: token, group: delivery, sort: expiresAt, text: '', body }
}

/** The control of a token, also after a restart; null for an unknown token. */
export async function findControl(store: Store, token: string): Promise<KnownControl | null> {
  const row = await store.row(deliveryViews.controls, token)
  return row ? (row.body as KnownControl) : null
}
