import type { Scope, TokenView } from '../../client/wire.ts'
import { withServer } from '../connect.ts'
import { UsageError } from '../fault.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const asked = given.list('scope') as Scope[]
  const scopes: Scope[] = asked.length > 0 ? asked : ['read', 'chat', 'answer']
  const dialog = given.text('dialog')
  const build = given.text('build')
  if (dialog !== undefined && build !== undefined)
    throw new UsageError('A token is limited to one dialog or to one build.', 'See: parley token create --help')
  const limit = dialog !== undefined ? { dialog } : build === undefined ? undefined : { build }
  const created = await withServer(terminal, ({ client }) =>
    client.tokens.create(given.optionalArg(0) ?? 'cli', scopes, {
      role: (given.text('role') ?? 'member') as TokenView['role'],
      ...(limit && { limit }),
    }),
  )
  terminal.result({ ...created.view, token: created.token }, () => created.token)
  if (!terminal.json)
    terminal.say(
      terminal.errPaint.dim(`${created.view.id} · ${created.view.role} · ${created.view.scopes.join(', ')}`),
      terminal.words.tokenOnce,
    )
}
