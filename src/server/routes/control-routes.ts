import { z } from 'zod'
import type { ControlsView, TapView } from '../../shapes/wire.ts'
import { ParleyError } from '../../errors.ts'
import { messageLimits } from '../../chats/message/message-limits.ts'
import type { Caller } from '../../shapes/parley.ts'
import { controls as controlsView, tapped, turn } from '../../shapes/schemas/control-responses.ts'
import { byId, route } from './route.ts'
import { text } from '../text.ts'

/** Buttons that plugins put below the last reply of a dialog. */
export type ReplyControls = {
  of(dialog: string): Promise<ControlsView>
  tap(dialog: string, turn: number, data: string, caller: Caller): Promise<TapView>
}

/** Both need `write.own`: reading offers the buttons, which is kept. Without plugins there are none. */
export const controlRoutes = (controls: ReplyControls | undefined) => [
  route({
    operation: 'controls.list',
    summary: 'Buttons of plugins below the last reply; none while the agent works or asks',
    params: byId,
    status: 200,
    response: controlsView,
    async handle({ params, parley }): Promise<ControlsView> {
      const { turns } = await parley.dialogs.get(params.id)
      return controls ? controls.of(params.id) : { turn: turns, rows: [] }
    },
  }),
  route({
    operation: 'controls.tap',
    summary: 'Tap one of them. The toast describes the result; an outdated button changes nothing',
    params: byId,
    body: z.strictObject({ turn, data: text(messageLimits.valueChars) }),
    status: 200,
    response: tapped,
    async handle({ params, body, caller, parley }) {
      await parley.dialogs.get(params.id)
      if (!controls) throw new ParleyError('control_unknown')
      return controls.tap(params.id, body.turn, body.data, caller)
    },
  }),
]
