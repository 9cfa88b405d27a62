import type { CommandFunction } from '../command-row.ts'
import type { BuildSummary } from '../../client/index.ts'
import { age } from '../age.ts'
import { columns } from '../columns.ts'
import { withServer } from '../connect.ts'

export const run: CommandFunction = async (terminal, given) => {
  const query = {
    limit: given.number('limit') ?? 20,
    status: given.text('status') as BuildSummary['status'] | undefined,
    after: given.text('after'),
  }
  const page = await withServer(terminal, ({ client }) => client.builds.list(query))
  const { words, paint } = terminal
  const heads = [words.columns.id, words.columns.status, words.builds.stepColumn, words.columns.age, words.builds.prompt]
  terminal.result(page, () =>
    page.items.length === 0
      ? []
      : columns(
          [
            heads.map((text) => ({ text, paint: paint.dim })),
            ...page.items.map((build) => [
              { text: build.build_id, paint: paint.bold },
              { text: words.builds.status[build.status], ...(build.status === 'waiting' ? { paint: paint.yellow } : {}) },
              build.step === 0 ? '–' : `${build.step}/7`,
              age(build.updatedAt, words),
              build.prompt,
            ]),
          ],
          terminal.width,
        ),
  )
  if (terminal.json) return
  if (page.items.length === 0) terminal.say(words.builds.none)
  else if (page.next !== null) terminal.say(words.morePages(page.next))
}
