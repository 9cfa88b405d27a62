import { RootCommand, type Command } from '@bomb.sh/tab'
import { type CommandRow, type Flag, globalFlags, getGroup, getName, toWord } from './command-row.ts'
import { groups, rows } from './table.ts'

/** The one file that knows @bomb.sh/tab, which is young and may change. */

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

function addFlag(command: Command, flag: Flag): void {
  const short = /^-(\w),/.exec(flag.flags)?.[1]
  const takesValue = /[<[]/.test(flag.flags)
  const name = /--(no-)?/.exec(flag.flags)?.[1] ? `no-${getName(flag).replace(/^no-/, '')}` : getName(flag)
  if (takesValue) {
    command.option(
      name,
      flag.about,
      (complete) => {
        for (const choice of flag.choices ?? []) complete(choice, '')
      },
      short,
    )
  } else if (short) command.option(name, flag.about, short)
  else command.option(name, flag.about)
}

function addRow(root: RootCommand, row: CommandRow, path: string): void {
  const command = root.command(path, row.summary)
  for (const flag of [...(row.flags ?? []), ...globalFlags]) addFlag(command, flag)
  command.option('help', 'this help', 'h')
  for (const argument of row.arguments ?? []) {
    command.argument(argument.name, (complete) => {
      for (const choice of argument.choices ?? []) complete(choice, '')
    })
  }
}

function findRoot(): RootCommand {
  const root = new RootCommand()
  for (const flag of globalFlags) addFlag(root, flag)
  root.option('help', 'help', 'h')
  root.option('version', 'print the version', 'v')
  for (const { name, summary } of groups) root.command(name, summary)
  for (const row of rows) {
    const group = getGroup(row.path)
    for (const word of [toWord(row.path), ...(row.aliases ?? [])]) addRow(root, row, group ? `${group} ${word}` : word)
  }
  return root
}

/** tab prints by console.log only; what it prints is gathered here instead. */
function gathered(act: () => void): string[] {
  const lines: string[] = []
  const { log } = console
  console.log = (line: unknown) => void lines.push(String(line))
  try {
    act()
  } finally {
    console.log = log
  }
  return lines
}

/** Completions for the words typed so far; the last one may be incomplete. */
export const suggest = (words: readonly string[]): string[] => gathered(() => findRoot().parse([...words]))

/** tab's script for bash makes its constants readonly, so that loading it a second time in one shell fails. */
const loadableAgain = (script: string): string => script.replace(/^readonly (?=\w+=)/gm, '')

export const completionScript = (shell: Shell): string =>
  loadableAgain(gathered(() => findRoot().setup('parley', 'parley', shell)).join('\n'))
