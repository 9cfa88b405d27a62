import { plainRenderer } from '../src/chats/channels/plain/render.ts'
import { builtInKinds } from '../src/chats/channels/registry.ts'
import { webRenderer } from '../src/chats/channels/web/render.ts'
import type { ReplyPayload } from '../src/chats/message/reply-payload.ts'
import { normaliseMessage } from '../src/chats/message/normalise.ts'
import { present } from '../src/chats/presentation/present.ts'
import { previewTokens } from '../src/chats/presentation/preview-tokens.ts'
import { type Round, timed } from './contender.ts'
import { many, median, print } from './figure.ts'

/** Messages shown per second and channel, from JSON as an agent writes it to the platform's requests. */
const paragraph =
  'The order from last week **fits**: three boxes of tea, one of them `green`. See [the list](https://example.org/list?a=1&b=2). '

const messages: Record<string, unknown> = {
  'a reply with two buttons': {
    text: paragraph,
    presentation: {
      blocks: [
        {
          type: 'buttons',
          buttons: [
            { label: 'Continue', value: 'c' },
            { label: 'Stop here', value: 's', style: 'danger' },
          ],
        },
      ],
    },
  },
  'a card of every block': {
    text: paragraph,
    presentation: {
      tone: 'warning',
      title: 'Stock is low',
      blocks: [
        { type: 'text', text: paragraph },
        { type: 'divider' },
        { type: 'context', text: 'warehouse 7' },
        {
          type: 'table',
          headers: ['Item', 'Left'],
          rows: [
            ['Tea', 4],
            ['Milk', 0],
          ],
        },
        {
          type: 'select',
          placeholder: 'Order',
          options: [
            { label: 'One', value: '1' },
            { label: 'Two', value: '2' },
          ],
        },
        {
          type: 'buttons',
          buttons: [
            { label: 'Look', url: 'https://example.org/' },
            { label: 'Later', value: 'x'.repeat(80) },
          ],
        },
      ],
    },
  },
  'a text of 20,000 characters': { text: `${paragraph.repeat(20)}\n\n`.repeat(8).slice(0, 20_000) },
}

const show = (input: unknown, channel: typeof webRenderer): number => {
  const normalised = normaliseMessage(input)
  const message: ReplyPayload = 'message' in normalised ? normalised.message : {}
  return present(message, channel, { address: '42' }, previewTokens).requests.length
}

const kinds = await Promise.all(Object.values(builtInKinds).map(({ load }) => load()))
const channels = [...kinds.map(({ renderer }) => renderer), webRenderer, plainRenderer]

for (const [name, input] of Object.entries(messages)) {
  const count = many(name.includes('20,000') ? 200 : 3_000, name.includes('20,000') ? 30 : 300)
  for (const channel of channels) {
    const rounds: Round[] = []
    for (let at = -2; at < many(7, 3); at += 1) {
      const round = await timed(count, async () => {
        for (let doneCount = 0; doneCount < count; doneCount += 1) if (show(input, channel) === 0) throw new Error('nothing was shown')
      })
      if (at >= 0) rounds.push(round)
    }
    print({
      bench: 'presentations',
      figure: `${name}, ${channel.name}`,
      value: median(rounds.map(({ seconds }) => count / seconds)),
      unit: '1/s',
    })
  }
}
