import { readFile } from 'node:fs/promises'
import { ParleyError } from '../errors.ts'
import { askSecret } from './ask.ts'
import { UsageError } from './fault.ts'
import type { Given } from './given.ts'
import { shortPath } from './places.ts'
import { readStdin } from './read-stdin.ts'
import { keepSecret } from './secrets-file.ts'
import type { Terminal } from './terminal.ts'

export type ChosenToken = {
  token: string
  /** Variable name used in parley.yaml. */
  variable: string
  /** Where it came from, for when it is wrong. */
  source: string
  /** Stores it for the server, or says that the user has to. */
  keep(): void
}

const usualNames = ['TELEGRAM_BOT_TOKEN', 'TELEGRAM_TOKEN']

/** The token of an account: from a variable, a file or a hidden prompt. Null when the person left. */
export async function chooseToken(terminal: Terminal, given: Given, name: string, dataDir: string): Promise<ChosenToken | null> {
  const { messages } = terminal.words
  const own = `${name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^(?![A-Z])/, 'PARLEY_')}_TOKEN`
  const typed = (text: string, source: string): ChosenToken => {
    const token = text.trim()
    if (token === '' || /\s/.test(token))
      throw new UsageError('That is not a token: it is empty or has spaces or several lines in it.', 'See: parley channels add --help')
    return {
      token,
      variable: own,
      source,
      keep: () => terminal.say(messages.tokenStored(shortPath(keepSecret(dataDir, own, token), terminal.cwd))),
    }
  }
  const variable = given.text('token-env')
  if (variable !== undefined) {
    if (!/^[A-Z_][A-Z0-9_]*$/.test(variable))
      throw new UsageError(
        `"${variable}" is not the name of a variable.`,
        'Such as: --token-env TELEGRAM_TOKEN. The token is never passed on the command line.',
      )
    const token = terminal.env[variable]
    if (!token) throw new UsageError(`${variable} is not set here.`, `Set it, here and where the server runs: export ${variable}=…`)
    return {
      token,
      variable,
      source: variable,
      keep: () => terminal.warn(`${terminal.errPaint.yellow('!')} ${messages.tokenFromEnv(variable)}`),
    }
  }
  const file = given.text('token-file')
  if (file !== undefined) {
    const unreadable = (): Promise<never> =>
      Promise.reject(new UsageError(`${file} cannot be read.`, 'Give a file that holds only the token.'))
    return typed(
      file === '-' ? await readStdin(terminal, 'The token') : await readFile(file, 'utf8').catch(unreadable),
      file === '-' ? 'stdin' : file,
    )
  }
  // The server may be started where this variable is not set, so what it holds is kept as if it had been typed.
  const usual = usualNames.find((one) => terminal.env[one])
  if (usual !== undefined) return typed(terminal.env[usual] ?? '', usual)
  if (!terminal.interactive) throw new ParleyError('needs_terminal', { flag: '--token-env TELEGRAM_BOT_TOKEN, or --token-file file' })
  const secret = await askSecret(terminal, messages.askToken)
  return secret === null ? null : typed(secret, 'the prompt')
}
