import type { CommandFunction } from '../command-row.ts'
import { withServer } from '../connect.ts'
import { columns } from '../columns.ts'
import { buildId } from '../follow-build.ts'
import { UsageError } from '../fault.ts'

export const run: CommandFunction = async (terminal, given) => {
  const wantsList = given.on('list')
  if (wantsList && given.on('revoke')) throw new UsageError('--list and --revoke do not go together.', 'See: parley builds token --help')
  const { words } = terminal
  await withServer(terminal, async ({ client: { builds }, client }) => {
    const build = await buildId(client, given.arg(0))
    if (given.on('revoke')) {
      const revoked = await builds.revokeTokens(build)
      return terminal.result(revoked, () => words.builds.tokensRevoked(revoked.count))
    }
    if (wantsList) {
      const { items } = await builds.tokens(build)
      terminal.result(items, () =>
        columns(
          items.map((token) => [
            token.id,
            token.role,
            token.revokedAt === null ? words.builds.tokenUntil(clockTime(token.expiresAt)) : words.revoked,
            token.name,
          ]),
          terminal.width,
        ),
      )
      if (items.length === 0 && !terminal.json) terminal.say(words.builds.noTokens)
      return
    }
    const created = await builds.createToken(build, {
      name: given.text('name'),
      role: given.text('role') as 'member' | 'guest' | undefined,
    })
    terminal.result({ ...created.view, token: created.token }, () => created.token)
    if (!terminal.json) terminal.say(words.builds.tokenOnce(clockTime(created.view.expiresAt)))
  })
}

const clockTime = (at: number): string => new Date(at).toTimeString().slice(0, 5)
