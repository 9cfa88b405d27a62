import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CommandFunction } from '../command-row.ts'
import { UsageError } from '../fault.ts'
import { readStdin } from '../read-stdin.ts'
import { requestLines } from '../request-lines.ts'

export const run: CommandFunction = async (terminal, given) => {
  const file = given.arg(0)
  const json = parsed(file === '-' ? await readStdin(terminal, 'The message') : read(resolve(terminal.cwd, file)), file)
  const channels = given
    .text('channel')
    ?.split(',')
    .map((name) => name.trim())
  const { previewMessage } = await import('../../app/preview.ts')
  const previews = await previewMessage(json, channels)
  const all = Object.entries(previews.channels)
  if (given.on('text')) {
    const text = all[0]?.[1].text ?? ''
    terminal.result({ text }, () => [text])
    return
  }
  const { paint } = terminal
  terminal.result(previews, () => [
    ...all.flatMap(([name, { requests, losses }]) => [
      paint.bold(name),
      ...requestLines(requests, paint),
      ...losses.map(({ what, from, to, why }) => `  ${paint.yellow('!')} ${what}: ${from} → ${to} (${why})`),
      '',
    ]),
    ...previews.dropped.map(({ at, why }) => `${paint.yellow('!')} ${at}: ${why}`),
  ])
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`The file cannot be read: ${(error as Error).message}.`, 'Give a JSON file, or - for stdin.')
  }
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(
      `${file} is not valid JSON: ${(error as Error).message}.`,
      'A message is { "text": …, "presentation": { "title": …, "blocks": […] } }.',
    )
  }
}
