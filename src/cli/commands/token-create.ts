import type { Scope } from '../../client/wire.ts'
import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const asked = given.list('scope') as Scope[]
  const scopes: Scope[] = asked.length > 0 ? asked : ['read', 'chat', 'answer']
  const created = await withServer(terminal, ({ client }) => client.tokens.create(given.optionalArg(0) ?? 'cli', scopes))
  terminal.result({ ...created.view, token: created.token }, () => created.token)
  if (!terminal.json)
    terminal.say(terminal.errPaint.dim(`${created.view.id} · ${created.view.scopes.join(', ')}`), terminal.words.tokenOnce)
}
