import { z } from 'zod'
import type { ControlsView, TapView } from '../client/wire.ts'
import { ParleyError } from '../errors.ts'
import { messageLimits } from '../message/message-limits.ts'
import type { Caller } from '../ports/parley.ts'
import { type Route, route } from './route.ts'
import { id, text } from './text.ts'

/** Buttons that plugins put below the last reply of a dialog. */
export type ReplyControls = {
  of(dialog: string): Promise<ControlsView>
  tap(dialog: string, turn: number, data: string, caller: Caller): Promise<TapView>
}

const byId = z.strictObject({ id })
const turn = z.int().min(0).describe('The turn the reply belongs to.')
const view = z.object({
  turn,
  rows: z.array(z.array(z.object({ label: z.string(), data: z.string() }))),
}) satisfies z.ZodType<ControlsView>

const tapped = z.object({ toast: z.string().nullable(), isTaken: z.boolean().exactOptional() }) satisfies z.ZodType<TapView>

/** Both need `write.own`: reading offers the buttons, which is kept. Without plugins there are none. */
export const controlRoutes = (controls: ReplyControls | undefined): Route[] => [
  route({
    method: 'get',
    path: '/v1/dialogs/{id}/controls',
    summary: 'Buttons of plugins below the last reply; none while the agent works or asks',
    params: byId,
    status: 200,
    answer: view,
    async handle({ params, parley }): Promise<ControlsView> {
      const { turns } = await parley.dialogs.get(params.id)
      return controls ? controls.of(params.id) : { turn: turns, rows: [] }
    },
  }),
  route({
    method: 'post',
    path: '/v1/dialogs/{id}/controls',
    summary: 'Tap one of them. The toast says in a few words what became of it; an old one changes nothing',
    params: byId,
    body: z.strictObject({ turn, data: text(messageLimits.valueChars) }),
    status: 200,
    answer: tapped,
    async handle({ params, body, caller, parley }) {
      await parley.dialogs.get(params.id)
      if (!controls) throw new ParleyError('control_unknown')
      return controls.tap(params.id, body.turn, body.data, caller)
    },
  }),
]
