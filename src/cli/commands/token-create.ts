import type { CommandFunction } from '../command-row.ts'
import type { OperationInput } from '../../client/index.ts'
import type { Scope } from '../../shapes/wire.ts'
import { roleCan } from '../../authority/capabilities.ts'
import { askText } from '../ask.ts'
import { withServer } from '../connect.ts'
import { exitCode } from '../exit-code.ts'
import { UsageError } from '../fault.ts'
import type { Terminal } from '../terminal.ts'

export const run: CommandFunction = async (terminal, given) => {
  const scopeFlags = given.list('scope') as Scope[]
  const scopes: Scope[] = scopeFlags.length > 0 ? scopeFlags : ['read', 'chat', 'answer']
  const dialog = given.text('dialog')
  const build = given.text('build')
  if (dialog !== undefined && build !== undefined)
    throw new UsageError('A token is limited to one dialog or to one build.', 'See: parley token create --help')
  const limit = dialog !== undefined ? { dialog } : build === undefined ? undefined : { build }
  const name = given.optionalArg(0) ?? (await askName(terminal))
  if (name === null) return exitCode.interrupted
  const created = await withServer(terminal, ({ client }) =>
    client.tokens.create(name, scopes, {
      role: given.text('role') as OperationInput<'tokens.create'>['role'],
      limit,
    }),
  )
  terminal.result({ ...created.view, token: created.token }, () => created.token)
  // A member decides only when parley.yaml lists a person, and a token is no person of that list.
  if (scopes.includes('approve') && !roleCan(created.view.role, 'approve'))
    terminal.warn(terminal.words.approvals.tokenCannotDecide(created.view.role))
  if (!terminal.json)
    terminal.say(
      terminal.errPaint.dim(`${created.view.id} · ${created.view.role} · ${created.view.scopes.join(', ')}`),
      terminal.words.tokenOnce,
    )
  return exitCode.ok
}

/** Every token in a list looks the same without a name, and one of them has to be revoked some day. */
async function askName(terminal: Terminal): Promise<string | null> {
  if (!terminal.interactive)
    throw new UsageError('A token needs a name.', 'Say what it is for, such as: parley token create ci --scope read')
  return askText(terminal, terminal.words.tokenName)
}
