import type { Config } from '../../app/config/schema.ts'
import { type Finding, note, ok, type Patient, wrong } from './finding.ts'

/** Shell commands and agent programs run in a sandbox, or not at all. */
export async function getCheckSandbox({ env }: Patient, config: Config | null): Promise<Finding[]> {
  const members = Object.values(config?.team.members ?? {})
  const servers = Object.values(config?.mcp ?? {}).flatMap((server) => (server.transport === 'stdio' && server.sandbox ? [server] : []))
  const confined: readonly { hosts?: readonly string[] | undefined }[] = [
    ...members.filter(({ runtime, toolsets }) => runtime === 'command' || toolsets?.includes('os')),
    ...servers,
  ]
  if (config?.sandbox === 'off')
    return [
      wrong(
        'sandbox',
        'The sandbox is off: shell commands and agent programs run with all rights of the server.',
        'parley config set sandbox on',
      ),
    ]
  const { checkSandbox } = await import('../../agents/sandbox/check-sandbox.ts')
  const fault = await checkSandbox({ env, hasHosts: confined.some(({ hosts }) => hosts !== undefined && hosts.length > 0) })
  if (fault === null) return [ok('sandbox', 'Shell commands and agent programs run in a sandbox.')]
  const what = `The sandbox is not available: ${fault.why}.`
  return confined.length === 0
    ? [note('sandbox', `${what} No agent needs it now.`, fault.next)]
    : [wrong('sandbox', `${what} Shell commands and agent programs do not run.`, fault.next)]
}

/** Plugins and modules are part of the server; no sandbox bounds them. */
export function checkTrust(config: Config | null): Finding[] {
  const plugins = Object.entries(config?.plugins ?? {}).flatMap(([name, { enabled, module }]) => (enabled && module ? [name] : []))
  const modules = Object.entries(config?.team.members ?? {}).flatMap(([name, member]) =>
    member.runtime === 'scripted' && member.module ? [`@${name}`] : [],
  )
  const names = [...plugins, ...modules]
  if (names.length === 0) return []
  return [
    note(
      'trust',
      `Plugins and agent modules run inside the server with its full rights: ${names.join(', ')}. Use only code that you trust.`,
    ),
  ]
}
