import type { CommandFunction } from '../command-row.ts'
import type { DeliveryView } from '../../shapes/wire.ts'
import { age } from '../age.ts'
import { columns } from '../columns.ts'
import { withServer } from '../connect.ts'
import { describeWhere } from '../delivery-words.ts'
import type { Terminal } from '../terminal.ts'

export const run: CommandFunction = async (terminal, given) => {
  const state = given.text('state') as DeliveryView['state'] | undefined
  const search = given.text('search')
  const limit = given.number('limit')
  const after = given.text('after')
  const page = await withServer(terminal, ({ client }) =>
    client.deliveries.list({
      ...(state !== undefined && { state }),
      ...(search !== undefined && { search }),
      ...(limit !== undefined && { limit }),
      ...(after !== undefined && { after }),
    }),
  )
  const { words, paint } = terminal
  const { messages } = words
  const heads = [words.columns.id, words.columns.status, messages.columns.where, words.columns.age, messages.columns.text]
  terminal.result(page, () =>
    page.items.length === 0
      ? ''
      : columns(
          [
            heads.map((text) => ({ text, paint: paint.dim })),
            ...page.items.map((one) => [
              { text: one.id, paint: paint.bold },
              { text: messages.states[one.state], paint: getPaint(one.state, paint) },
              describeWhere(one),
              age(one.plannedAt, words),
              one.text,
            ]),
          ],
          terminal.width,
        ),
  )
  if (terminal.json) return
  if (page.items.length === 0)
    terminal.say(state === undefined && search === undefined && after === undefined ? messages.noDeliveries : messages.noDeliveriesFit)
  if (page.next !== null) terminal.say(words.morePages(page.next))
}

function getPaint(state: DeliveryView['state'], paint: Terminal['paint']): (text: string) => string {
  if (state === 'sent') return paint.green
  return state === 'waiting' ? paint.cyan : paint.yellow
}
