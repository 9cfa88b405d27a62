import { readFile } from 'node:fs/promises'
import { ParleyError } from '../../errors.ts'
import { askSecret } from '../ask.ts'
import { UsageError } from '../fault.ts'
import type { Given } from '../given.ts'
import { shortPath } from '../places.ts'
import { readStdin } from '../read-stdin.ts'
import { keepSecret, readSecrets } from '../../app/config/secrets-file.ts'
import type { Terminal } from '../terminal.ts'
import type { ModelChoice } from './model-choice.ts'

/** Name of a variable; null when no key is needed; undefined when the person left. */
export async function chooseKey(
  terminal: Terminal,
  given: Given,
  choice: ModelChoice,
  name: string,
  dataDir: string,
): Promise<string | null | undefined> {
  const { words } = terminal
  const usual = choice.provider === 'anthropic' ? 'ANTHROPIC_API_KEY' : `PARLEY_${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_KEY`
  const keep = (key: string): string => {
    if (key === '' || /[\r\n]/.test(key))
      throw new UsageError('That is not a key: it is empty or has several lines.', 'See: parley model set --help')
    const file = keepSecret(dataDir, usual, key)
    terminal.say(words.keyStored(shortPath(file, terminal.cwd)))
    return usual
  }

  const variable = given.text('key-env')
  if (variable !== undefined) {
    if (!/^[A-Z_][A-Z0-9_]*$/.test(variable))
      throw new UsageError(
        `"${variable}" is not the name of a variable.`,
        'Such as: --key-env ANTHROPIC_API_KEY. The key is never passed on the command line.',
      )
    if (!terminal.env[variable]) terminal.warn(`${terminal.errPaint.yellow('!')} ${words.keyNotSet(variable)}`)
    return variable
  }
  const file = given.text('key-file')
  if (file !== undefined) {
    const text =
      file === '-'
        ? await readStdin(terminal, 'The key')
        : await readFile(file, 'utf8').catch(() =>
            Promise.reject(new UsageError(`${file} cannot be read.`, 'Give a file that holds only the key.')),
          )
    return keep(text.trim())
  }
  if (choice.provider === 'ollama') return null
  if (choice.provider === 'anthropic' && terminal.env[usual]) {
    terminal.say(words.keyFromEnv(usual))
    return usual
  }
  if (readSecrets(dataDir)[usual]) return usual
  if (!terminal.interactive) {
    // Many servers on the own machine need none, so only who surely needs one is refused.
    if (choice.provider === 'openai-compatible') return null
    throw new ParleyError('needs_terminal', { flag: `--key-env ${usual}, or --key-file file` })
  }
  const typed = await askSecret(terminal, words.askKey(words.providers[choice.provider]))
  if (typed === null) return undefined
  if (typed.trim() === '') {
    if (choice.provider === 'openai-compatible') return null
    throw new UsageError('Anthropic needs a key.', 'Get one at https://console.anthropic.com, then: parley model set anthropic')
  }
  return keep(typed.trim())
}
