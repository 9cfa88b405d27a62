import type { CommandFunction } from '../command-row.ts'
import { UsageError } from '../fault.ts'
import { progress } from '../progress.ts'
import { findStorePlace } from '../store-place.ts'

export const run: CommandFunction = async (terminal, given) => {
  const { words } = terminal
  const target = given.text('to')
  if (target === undefined) throw new UsageError('--to is missing.', "Name the target: parley store copy --to '${DATABASE_URL}'")
  const from = await findStorePlace(terminal, given.text('from'))
  const to = await findStorePlace(terminal, target)
  const { copyStoreTo, describePlace } = await import('../../app/store-place.ts')
  if (describePlace(from) === describePlace(to)) throw new UsageError('Source and target are the same store.')
  const progressLine = progress(terminal, words.copying('event', 0, 0))
  const report = await copyStoreTo(from, to, ({ doing, part, done, of }) =>
    progressLine.step(doing === 'copy' ? words.copying(part, done, of) : words.comparing(part, done, of)),
  ).finally(() => progressLine.end())
  const names = [describePlace(from), describePlace(to)] as const
  terminal.result({ from: names[0], to: names[1], ...report }, () => [
    words.storeCopied(...names, report.events, report.rows, report.files),
    words.copyNext,
  ])
}
