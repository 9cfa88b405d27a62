import type { SearchHit } from '../../shapes/wire.ts'
import { age } from '../age.ts'
import type { CommandFunction } from '../command-row.ts'
import { withServer } from '../connect.ts'
import { plainText } from '../plain-text.ts'
import type { Paint } from '../terminal.ts'

export const run: CommandFunction = async (terminal, given) => {
  const page = await withServer(terminal, ({ client }) =>
    client.search(given.arg(0), { limit: given.number('limit') ?? 20, after: given.text('after') }),
  )
  const { words, paint } = terminal
  terminal.result(page, () =>
    page.items.flatMap((hit, index) => [
      ...(index > 0 ? [''] : []),
      `${paint.bold(hit.dialog)}  ${paint.dim(`${plainText(hit.title) || hit.agent} · ${hit.by.name} · ${age(hit.at, words)}`)}`,
      `  ${markedText(hit, paint)}`,
    ]),
  )
  if (terminal.json) return
  if (page.indexing) terminal.say(words.searchIndexing(Math.floor((100 * page.indexing.done) / page.indexing.of)))
  if (page.next !== null) terminal.say(words.morePages(page.next))
  else if (page.items.length === 0) terminal.say(words.nothingFound)
}

function markedText({ excerpt: { text, marks } }: SearchHit, paint: Paint): string {
  let at = 0
  let result = ''
  for (const [from, to] of marks) {
    result += plainText(text.slice(at, from)) + paint.inverse(plainText(text.slice(from, to)))
    at = to
  }
  return result + plainText(text.slice(at))
}
