import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CommandFunction } from '../command-row.ts'
import { errorMessage } from '../../errors.ts'
import { exitCode } from '../exit-code.ts'
import { UsageError } from '../fault.ts'
import { plainText } from '../plain-text.ts'

type Outcome = { id: string; behaviour: string; fault: string | null }

/** Runs the contract of channels on a module that exports its kind, with what the cases need to know, as default. */
export const run: CommandFunction = async (terminal, given) => {
  const file = resolve(terminal.cwd, given.arg(0))
  const { channelContract } = await import('../../testing/channel-contract.ts')
  const loaded = (await import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new UsageError(
      `${given.arg(0)} cannot be loaded: ${errorMessage(error)}`,
      'Give a module whose default export is a ChannelSubject.',
    )
  })) as { default?: Partial<Parameters<(typeof channelContract)[number]['run']>[0]> }
  const { kind, ...subject } = loaded.default ?? {}
  if (typeof kind?.open !== 'function')
    throw new UsageError(`${given.arg(0)} exports no channel.`, 'Write: export default { kind, settings, thread, messageIds }')
  const outcomes: Outcome[] = []
  for (const { id, behaviour, run: check } of channelContract) {
    try {
      await check({ settings: {}, thread: null, messageIds: ['1', '2'], ...subject, kind })
      outcomes.push({ id, behaviour, fault: null })
    } catch (error) {
      outcomes.push({ id, behaviour, fault: errorMessage(error) })
    }
  }
  const isGood = outcomes.every(({ fault }) => fault === null)
  const { paint } = terminal
  terminal.result({ kind: kind.kind, ok: isGood, cases: outcomes }, () =>
    outcomes.flatMap(({ id, behaviour, fault }) => [
      `${fault === null ? paint.green('✓') : paint.red('✗')} ${id}  ${behaviour}`,
      ...(fault === null ? [] : [`    ${plainText(fault).split('\n').slice(0, 3).join(' ')}`]),
    ]),
  )
  return isGood ? exitCode.ok : exitCode.failed
}
