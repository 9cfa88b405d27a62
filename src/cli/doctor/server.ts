import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { type ParleyClient, parleyClient } from '../../client/index.ts'
import { getFault } from '../fault.ts'
import { findServer, readNote } from '../find-server.ts'
import { version } from '../version.ts'
import { type Finding, type Patient, addChannel, fixed, note, ok, warning, wrong } from './finding.ts'
import { isProcessAlive } from '../process-alive.ts'

/** A server that was killed leaves its note behind, and every command would look for it in vain. */
export function checkNote({ places, fix }: Patient): Finding[] {
  const serverNote = readNote(places.data)
  if (!serverNote || isProcessAlive(serverNote.pid)) return []
  if (!fix)
    return [warning('server', `A server (process ${serverNote.pid}) ended without removing its server.json.`, 'parley doctor --fix')]
  rmSync(join(places.data, 'server.json'), { force: true })
  return [fixed('server', 'Removed the server.json of a server that has ended.')]
}

export async function checkServer(
  { terminal, places }: Patient,
  wantedPort: number,
): Promise<{ findings: Finding[]; client: ParleyClient | null }> {
  const server = findServer(terminal.cwd, terminal.env, terminal.url)
  const dead = server?.from === 'note' && server.note && !isProcessAlive(server.note.pid)
  if (!server || dead)
    return {
      client: null,
      findings: [note('server', 'No server is running for this folder.', 'parley serve'), ...(await checkPort(wantedPort))],
    }
  const client = parleyClient({ baseUrl: server.url, token: server.token, via: 'cli', tries: 1, timeoutMs: 5_000 })
  try {
    const info = await client.info()
    const findings = [ok('server', `Parley ${info.version} answers at ${server.url}.`)]
    const { config } = server.note ?? {}
    // With `serve --config` the findings about this folder's file say nothing about that server.
    if (config !== undefined && config !== places.config)
      findings.push(
        warning(
          'server',
          `That server uses ${config}. The findings above are about ${places.config}.`,
          `Check its file: cd ${dirname(config)} && PARLEY_DATA=${places.data} parley doctor`,
        ),
      )
    if (info.version !== version)
      findings.push(warning('server', `This program is ${version}, the server is ${info.version}.`, 'Restart the server: parley serve'))
    // A server of 0.1 does not say.
    const emergency = info.emergency ?? null
    if (emergency)
      findings.push(
        warning(
          'server',
          `All work was stopped by ${emergency.by} (${new Date(emergency.at).toISOString()}): no agent starts.`,
          'Resume all: parley dialogs continue --all',
        ),
      )
    for (const problem of info.problems) {
      // The file itself was read here as well; only the server knows how its plugins fare.
      const isOfPlugin = problem.startsWith(`${places.config}: plugins.`)
      const channel = /^channels\.([^:]+):/.exec(problem)?.[1]
      if (channel !== undefined) findings.push(wrong('server', problem, `Fix "channels" in parley.yaml, or: ${addChannel(channel)}`))
      else if (isOfPlugin) findings.push(wrong('server', problem, 'parley plugins check'))
      else if (!problem.startsWith(places.config)) findings.push(wrong('server', problem, 'parley config schema'))
    }
    return { client, findings }
  } catch (error) {
    const { message, hint } = getFault(error)
    return { client: null, findings: [wrong('server', message, hint)] }
  }
}

async function checkPort(port: number): Promise<Finding[]> {
  if (port === 0) return []
  const free = await new Promise<boolean>((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
  return [
    free ? ok('port', `Port ${port} is free.`) : warning('port', `Port ${port} is in use by another program.`, 'parley serve --port 0'),
  ]
}

/** "Why do I see nothing?" is the question an inbox is asked most. */
export async function checkInbox(client: ParleyClient): Promise<Finding> {
  const { count } = await client.inbox()
  if (count > 0) return note('inbox', `${count} ${count === 1 ? 'thing waits' : 'things wait'} for you.`, 'parley inbox list')
  const failed = await client.dialogs.list({ status: 'failed', limit: 1 })
  if (failed.items.length > 0)
    return warning('inbox', 'The inbox is empty, but some dialogs failed before they could ask.', 'parley dialogs list --status failed')
  const working = await client.dialogs.list({ status: 'working', limit: 1 })
  if (working.items.length > 0) return note('inbox', 'The inbox is empty: agents are still working.', 'parley inbox watch')
  const any = await client.dialogs.list({ limit: 1 })
  if (any.items.length > 0) return ok('inbox', 'The inbox is empty: every question is closed.')
  return note('inbox', 'The inbox is empty: there are no dialogs yet.', 'parley chat')
}

export const doctorLimits = { tokensListed: 10 } as const

/** Tokens of 0.1 have no role of their own: they count as an operator, with `admin` as the owner. */
export async function checkTokens(client: { tokens: Pick<ParleyClient['tokens'], 'list'> }): Promise<Finding[]> {
  const old = (await client.tokens.list()).filter(({ isLegacy, revokedAt }) => isLegacy && revokedAt === null)
  return old.slice(0, doctorLimits.tokensListed).map(({ id, name, role, scopes }) => {
    const may = scopes.includes('admin')
      ? 'do everything'
      : `reach all dialogs and builds${scopes.includes('send') ? ' and send messages to every chat, because its scope chat included that' : ''}`
    const narrower = scopes.filter((scope) => scope !== 'send' && scope !== 'admin')
    const flags = (narrower.length > 0 ? narrower : ['read']).map((scope) => `--scope ${scope}`).join(' ')
    return warning(
      'tokens',
      `Token "${name}" (${id}) of Parley 0.1 has the role ${role}: it may ${may}.`,
      `If it needs less: parley token create --role member ${flags}, then: parley token revoke ${id}`,
    )
  })
}
