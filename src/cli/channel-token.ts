import { readFile } from 'node:fs/promises'
import { ParleyError } from '../errors.ts'
import type { ChannelSecret } from '../ports/channel-kind.ts'
import { askSecret } from './ask.ts'
import { UsageError } from './fault.ts'
import type { Given } from './given.ts'
import { shortPath } from './places.ts'
import { readStdin } from './read-stdin.ts'
import { keepSecret } from '../app/config/secrets-file.ts'
import type { Terminal } from './terminal.ts'

export type ChosenSecret = {
  key: string
  value: string
  /** Variable name used in parley.yaml. */
  variable: string
  /** Where it came from, for when it is wrong. */
  source: string
  /** Stores it for the server, or says that the user has to. */
  keep(): void
}

type Choice = { name: string; dataDir: string; secret: ChannelSecret }

/** The secrets of an account. The flags are about the first one. Null when the person left. */
export async function chooseSecrets(
  terminal: Terminal,
  given: Given,
  { name, dataDir, secrets }: { name: string; dataDir: string; secrets: readonly ChannelSecret[] },
): Promise<ChosenSecret[] | null> {
  const chosen: ChosenSecret[] = []
  for (const [index, secret] of secrets.entries()) {
    const choice = { name, dataDir, secret }
    const byFlag = index === 0 ? await readFlags(terminal, given, choice) : undefined
    const one = byFlag ?? (await askFor(terminal, choice))
    if (one === null) return null
    if (one) chosen.push(one)
  }
  return chosen
}

async function readFlags(terminal: Terminal, given: Given, choice: Choice): Promise<ChosenSecret | undefined> {
  const variable = given.text('token-env')
  if (variable !== undefined) return fromVariable(terminal, choice, variable)
  const file = given.text('token-file')
  if (file === undefined) return undefined
  if (file === '-') return typed(terminal, choice, await readStdin(terminal, 'The token'), 'stdin')
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`${file} cannot be read.`, 'Give a file that holds only the token.')
  })
  return typed(terminal, choice, text, file)
}

function fromVariable(terminal: Terminal, { secret }: Choice, variable: string): ChosenSecret {
  if (!/^[A-Z_][A-Z0-9_]*$/.test(variable))
    throw new UsageError(
      `"${variable}" is not the name of a variable.`,
      `Such as: --token-env ${secret.variables[0] ?? 'TOKEN'}. The token is never passed on the command line.`,
    )
  const value = terminal.env[variable]
  if (!value) throw new UsageError(`${variable} is not set here.`, `Set it, here and where the server runs: export ${variable}=…`)
  const keep = (): void => terminal.warn(`${terminal.errPaint.yellow('!')} ${terminal.words.messages.tokenFromEnv(variable)}`)
  return { key: secret.key, value, variable, source: variable, keep }
}

/** Undefined for an optional one that is not given. */
async function askFor(terminal: Terminal, choice: Choice): Promise<ChosenSecret | null | undefined> {
  const { variables, optional, title } = choice.secret
  // The server may be started where this variable is not set, so its value is stored as if it had been typed.
  const usual = variables.find((one) => terminal.env[one])
  if (usual !== undefined) return typed(terminal, choice, terminal.env[usual] ?? '', usual)
  if (!terminal.interactive) {
    if (optional) return undefined
    throw new ParleyError('needs_terminal', { flag: `--token-env ${variables[0] ?? 'TOKEN'}, or --token-file file` })
  }
  const value = await askSecret(terminal, title[terminal.language] ?? title.en)
  if (value === null || (optional && value.trim() === '')) return value === null ? null : undefined
  return typed(terminal, choice, value, 'the prompt')
}

function typed(terminal: Terminal, { name, dataDir, secret }: Choice, text: string, source: string): ChosenSecret {
  const value = text.trim()
  if (value === '' || /\s/.test(value))
    throw new UsageError('That is not a token: it is empty or has spaces or several lines in it.', 'See: parley channels add --help')
  const variable = variableFor(name, secret.key)
  const keep = (): void => terminal.say(terminal.words.messages.tokenStored(shortPath(keepSecret(dataDir, variable, value), terminal.cwd)))
  return { key: secret.key, value, variable, source, keep }
}

/** `appToken` of the account `work` is WORK_APP_TOKEN. */
const variableFor = (name: string, key: string): string =>
  `${name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^(?![A-Z])/, 'PARLEY_')}_${key.replace(/([A-Z])/g, '_$1').toUpperCase()}`
