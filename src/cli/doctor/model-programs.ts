import { basename } from 'node:path'
import type { Config } from '../../app/config/schema.ts'
import { type Finding, ok, type Patient, warning, wrong } from './finding.ts'

/** Needs of a known model command line inside the sandbox; docs/guides/model-cli.md lists them. */
type Needs = {
  host: string
  keys: readonly string[]
  argument: RegExp
  example: string
  /** The address that replaces the usual one. */
  baseUrl: (args: readonly string[], granted: NodeJS.ProcessEnv) => string | undefined
  /** Names a folder of settings, which may choose another provider. */
  settings: string
}

const knownPrograms: Readonly<Record<string, Needs>> = {
  claude: {
    host: 'api.anthropic.com',
    keys: ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN'],
    argument: /^(-p|--print)$/,
    example: '[claude, -p]',
    baseUrl: (_, granted) => granted['ANTHROPIC_BASE_URL'],
    settings: 'CLAUDE_CONFIG_DIR',
  },
  codex: {
    host: 'api.openai.com',
    // It reads no OPENAI_API_KEY when it runs without a terminal.
    keys: ['CODEX_API_KEY'],
    argument: /^(exec|e)$/,
    example: '[codex, exec, --skip-git-repo-check, "-"]',
    baseUrl: (args) => args.join(' ').match(/base_url\s*=\s*["']?(https?:[^"'\s]+)/)?.[1],
    settings: 'CODEX_HOME',
  },
}

/** Members with `builds: plain`: is the program there, and are host and key granted? */
export async function checkModelPrograms({ env }: Pick<Patient, 'env'>, config: Config | null): Promise<Finding[]> {
  const { isProgram, programsNamed } = await import('../../agents/sandbox/find-program.ts')
  return Object.entries(config?.team.members ?? {}).flatMap(([name, member]) => {
    if (member.runtime !== 'command' || member.builds !== 'plain' || !member.command) return []
    const [program = '', ...args] = member.command
    const where = `team.members.${name}`
    const isThere = program.includes('/') ? isProgram(program) : programsNamed(program, env['PATH']).length > 0
    if (!isThere)
      return [
        wrong('builds', `@${name}: there is no program ${program} on the PATH of the server.`, `Install it, or correct ${where}.command.`),
      ]
    const needs = Object.hasOwn(knownPrograms, basename(program)) ? knownPrograms[basename(program)] : undefined
    const faults = needs ? missing(name, where, member, needs, args, { env, isConfined: config?.sandbox !== 'off' }) : []
    return faults.length > 0 ? faults : [ok('builds', `@${name} builds with the plain replies of ${program}.`)]
  })
}

type Grants = { hosts?: readonly string[] | undefined; env?: readonly string[] | undefined }

function missing(
  name: string,
  where: string,
  { hosts = [], env: granted = [] }: Grants,
  needs: Needs,
  args: readonly string[],
  { env, isConfined }: { env: NodeJS.ProcessEnv; isConfined: boolean },
): Finding[] {
  const { keys, argument, example } = needs
  const passed = Object.fromEntries(granted.map((each) => [each, env[each]]))
  const host = hostIn(needs.baseUrl(args, passed)) ?? needs.host
  const findings: Finding[] = []
  if (!args.some((each) => argument.test(each)))
    findings.push(
      warning('builds', `@${name}: without a terminal this program needs other arguments.`, `Set ${where}.command to ${example}.`),
    )
  const isUnknown = granted.includes(needs.settings) && hosts.length > 0
  if (isConfined && !isUnknown && !hosts.some((each) => covers(each, host)))
    findings.push(wrong('builds', `@${name} cannot reach ${host} from the sandbox.`, `Add ${host} to ${where}.hosts.`))
  if (!granted.some((each) => keys.includes(each)))
    findings.push(
      wrong('builds', `@${name} is given no key: its home folder in the sandbox is empty.`, `Add ${keys.join(' or ')} to ${where}.env.`),
    )
  const unset = granted.filter((each) => keys.includes(each) && (env[each] ?? '') === '')
  if (unset.length > 0 && !granted.some((each) => keys.includes(each) && (env[each] ?? '') !== ''))
    findings.push(
      wrong(
        'builds',
        `@${name}: ${unset.join(' and ')} is not set where the server runs.`,
        `Set ${unset[0] ?? ''}, then start the server again.`,
      ),
    )
  return findings
}

const hostIn = (url: string | undefined): string | undefined => (url !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined)

function covers(grant: string, host: string): boolean {
  const [name = ''] = grant.split(':')
  return name === host || (name.startsWith('*.') && host.endsWith(name.slice(1)))
}
