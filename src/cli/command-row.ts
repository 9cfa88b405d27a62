import type { Capability } from '../authority/capabilities.ts'
import type { Given } from './given.ts'
import type { Terminal } from './terminal.ts'

export type Argument = { name: string; about: string; optional?: true; choices?: readonly string[] }

export type Flag = {
  /** As commander reads it: `--limit <number>`. */
  flags: string
  about: string
  choices?: readonly string[]
  /** Takes a whole number, zero or more. */
  number?: true
  /** The largest number it takes. */
  most?: number
  /** May be given several times. */
  many?: true
}

export type CommandFunction = (terminal: Terminal, given: Given) => Promise<number | void>

export type CommandBody = { run: CommandFunction }

/** One command. Help, completion and docs/CLI.md are made from these rows, so none of them can fall behind. */
export type CommandRow = {
  /** `send`, or `dialogs list`. */
  path: string
  /** The capability it needs of the server. `local`: it works on files of the account that runs it and asks no server. */
  needs: Capability | 'local'
  aliases?: readonly string[]
  /** Names of earlier versions. They work until 1.0; help does not show them. */
  formerNames?: readonly string[]
  summary: string
  /** More than fits the summary, for `-h`. */
  detail?: string
  arguments?: readonly Argument[]
  flags?: readonly Flag[]
  examples: readonly [string, string, ...string[]]
  /** It runs when its group is named alone. */
  isDefault?: true
  /** With --json: one document for each line instead of one document. */
  lines?: true
  /** Loaded only when the command is run, so that help stays quick. */
  load: () => Promise<CommandBody>
}

export type CommandGroup = { name: string; summary: string }

/** Taken by every command. */
export const globalFlags: readonly Flag[] = [
  { flags: '--json', about: 'print JSON; no prompts, no colour' },
  { flags: '--url <address>', about: 'address of the server (or PARLEY_URL, with PARLEY_TOKEN)' },
  { flags: '--no-color', about: 'no colour (also NO_COLOR)' },
  { flags: '-q, --quiet', about: 'print only results and errors' },
  { flags: '--verbose', about: 'print more about what happens' },
]

export const toWord = (path: string): string => path.slice(path.lastIndexOf(' ') + 1)

export const getGroup = (path: string): string | null => (path.includes(' ') ? path.slice(0, path.indexOf(' ')) : null)

/** `--base-url <address>` → `base-url`. */
export const getName = (flag: Flag): string => /--([a-z-]+)/.exec(flag.flags)?.[1] ?? ''
