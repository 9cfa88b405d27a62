import { Argument as CommanderArgument, Command, InvalidArgumentError, Option } from 'commander'
import { type CommandRow, type Flag, globalFlags, getGroup, getName, toWord } from './command-row.ts'
import { groups, rows } from './table.ts'

const wholeNumber =
  (most: number | undefined) =>
  (text: string): number => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN
    if (Number.isNaN(number) || number > (most ?? Infinity))
      throw new InvalidArgumentError(`It must be a whole number${most === undefined ? '' : ` from 0 to ${most}`}.`)
    return number
  }

function getOption(flag: Flag): Option {
  const option = new Option(flag.flags, flag.about)
  if (flag.choices) option.choices([...flag.choices])
  if (flag.number) option.argParser(wholeNumber(flag.most))
  // A parser of our own takes the place of the one that knows the choices.
  if (flag.many)
    option.argParser((value: string, before: string[] | undefined) => {
      if (flag.choices && !flag.choices.includes(value)) throw new InvalidArgumentError(`Allowed choices are ${flag.choices.join(', ')}.`)
      return [...(before ?? []), value]
    })
  return option
}

const listExamples = (row: CommandRow): string => `\nExamples:\n${row.examples.map((line) => `  ${line}`).join('\n')}`

const formerNames = new Set(rows.flatMap((row) => row.formerNames ?? []))

/** Commander keeps its own exit codes and writes straight to the process; both are ours to decide. */
const quietly = (command: Command, stdout: NodeJS.WriteStream): Command =>
  command
    .exitOverride()
    .configureOutput({ writeOut: (text) => void stdout.write(text), writeErr: () => {}, outputError: () => {} })
    .configureHelp({
      sortSubcommands: false,
      showGlobalOptions: false,
      subcommandTerm: (sub) =>
        [
          [sub.name(), ...sub.aliases().filter((alias) => !formerNames.has(alias))].join('|'),
          ...sub.registeredArguments.map((taken) => (taken.required ? `<${taken.name()}>` : `[${taken.name()}]`)),
        ].join(' '),
    })

/** Flags as they were typed: on the command itself or before it, never a default of commander's. */
export function typedFlags(command: Command): Record<string, unknown> {
  const typed: Record<string, unknown> = {}
  for (let at: Command | null = command; at; at = at.parent) {
    for (const option of at.options) {
      const key = option.attributeName()
      if (!(key in typed) && at.getOptionValueSource(key) === 'cli')
        typed[option.negate ? key : getName({ flags: option.flags, about: '' })] = at.getOptionValue(key)
    }
  }
  return typed
}

export type Chosen = { row: CommandRow; args: (string | undefined)[]; flags: Record<string, unknown> }

/** The command line as a commander program. Choosing a command only notes it; `run-cli` runs it. */
export function buildProgram(version: string, choose: (chosen: Chosen) => void, stdout: NodeJS.WriteStream = process.stdout): Command {
  const program = quietly(new Command('parley'), stdout)
    .description('The conversation layer between AI agents and the people they work for.')
    .version(version, '-v, --version', 'print the version')
    .usage('<command> [flags]')
    .helpOption('-h, --help', 'help for a command')
    .addHelpText(
      'after',
      [
        '\nEvery command takes --json, --quiet, --verbose, --no-color and --url; -h after a command shows its flags and examples.',
        '\nStart here:',
        '  parley demo    a scripted agent, no key needed',
        '  parley chat    talk to your agent in the terminal',
      ].join('\n'),
    )
    .helpCommand('help [command]', 'help for a command')
  // Taken before a command too, but shown with each command only: the first page is for choosing one.
  for (const flag of globalFlags) program.addOption(getOption(flag).hideHelp())
  program.optionsGroup('Flags:').commandsGroup('Commands:')

  const parents = new Map<string, Command>()
  for (const row of rows) {
    const group = getGroup(row.path)
    let parent = program
    if (group) {
      parent = parents.get(group) ?? quietly(program.command(group), stdout)
      if (!parents.has(group)) {
        parents.set(group, parent)
        parent.description(groups.find(({ name }) => name === group)?.summary ?? '').helpOption('-h, --help', 'help for a command')
        parent.usage('<command> [flags]')
        const examples = rows.filter(({ path }) => getGroup(path) === group).map(({ examples: [first] }) => `  ${first}`)
        parent.addHelpText('after', `\nExamples:\n${examples.slice(0, 3).join('\n')}`)
      }
    }
    const command = quietly(parent.command(toWord(row.path), { isDefault: row.isDefault ?? false }), stdout)
      .aliases([...(row.aliases ?? []), ...(row.formerNames ?? [])])
      .summary(row.summary)
      .description(row.detail ? `${row.summary}\n\n${row.detail}` : row.summary)
      .addHelpOption(new Option('-h, --help', 'this help').helpGroup('For every command:'))
      .addHelpText('after', listExamples(row))
      .allowExcessArguments(false)
    for (const argument of row.arguments ?? []) {
      const commandArgument = new CommanderArgument(argument.optional ? `[${argument.name}]` : `<${argument.name}>`, argument.about)
      if (argument.choices) commandArgument.choices([...argument.choices])
      command.addArgument(commandArgument)
    }
    for (const flag of row.flags ?? []) command.addOption(getOption(flag).helpGroup('Flags:'))
    for (const flag of globalFlags) command.addOption(getOption(flag).helpGroup('For every command:'))
    command.usage([...(row.arguments ?? []).map(({ name, optional }) => (optional ? `[${name}]` : `<${name}>`)), '[flags]'].join(' '))
    command.action(() => choose({ row, args: command.processedArgs as (string | undefined)[], flags: typedFlags(command) }))
  }
  return program
}
