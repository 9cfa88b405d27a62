import type { TokenView } from '../../shapes/wire.ts'
import { age } from '../age.ts'
import { columns } from '../columns.ts'
import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, _given: Given): Promise<void> {
  const tokens = await withServer(terminal, ({ client }) => client.tokens.list())
  const { words, paint } = terminal
  terminal.result(tokens, () =>
    tokens.length === 0
      ? []
      : columns(
          [
            [words.columns.id, words.columns.role, words.columns.scopes, words.columns.age, words.columns.name].map((text) => ({
              text,
              paint: paint.dim,
            })),
            ...tokens.map((token) => [
              { text: token.id, paint: paint.bold },
              `${token.role}${limitText(token)}`,
              token.revokedAt === null ? token.scopes.join(',') : { text: words.revoked, paint: paint.red },
              age(token.createdAt, words),
              token.name,
            ]),
          ],
          terminal.width,
        ),
  )
  if (tokens.length === 0 && !terminal.json) terminal.say(words.noTokens)
}

/** The one thing it is limited to. */
const limitText = ({ limit }: TokenView): string => (limit === null ? '' : ` (${'dialog' in limit ? limit.dialog : limit.build})`)
