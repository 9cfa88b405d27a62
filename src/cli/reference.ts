import { type CommandRow, type Flag, globalFlags } from './command-row.ts'
import { exitCode } from './exit-code.ts'
import { rows } from './table.ts'

const flagLine = ({ flags, about, choices, many }: Flag): string =>
  `| \`${flags}\` | ${about}${choices ? `: ${choices.map((choice) => `\`${choice}\``).join(', ')}` : ''}${many ? ' (may be repeated)' : ''} |`

export const getUsage = (row: CommandRow): string =>
  ['parley', row.path, ...(row.arguments ?? []).map(({ name, optional }) => (optional ? `[${name}]` : `<${name}>`)), '[flags]'].join(' ')

function section(row: CommandRow): string {
  const parts = [`### parley ${row.path}`, `${row.summary.charAt(0).toUpperCase()}${row.summary.slice(1)}.`]
  if (row.detail) parts.push(row.detail.replaceAll('\n', '  \n'))
  parts.push(`\`\`\`\n${getUsage(row)}\n\`\`\``)
  if (row.aliases) parts.push(`Also: ${row.aliases.map((alias) => `\`${alias}\``).join(', ')}.`)
  const usageParts = [
    ...(row.arguments ?? []).map(
      ({ name, about, choices }) =>
        `| \`${name}\` | ${about}${choices ? `: ${choices.map((choice) => `\`${choice}\``).join(', ')}` : ''} |`,
    ),
    ...(row.flags ?? []).map(flagLine),
  ]
  if (usageParts.length > 0) parts.push(['| | |', '|---|---|', ...usageParts].join('\n'))
  if (row.lines) parts.push('With `--json`: one document on each line, as they come.')
  parts.push(`\`\`\`sh\n${row.examples.join('\n')}\n\`\`\``)
  return parts.join('\n\n')
}

/** docs/CLI.md, made from the command table. `npm run docs` writes it. */
export function reference(): string {
  return `${[
    '# The command line',
    '<!-- Made from the command table by `npm run docs`; change the table, not this page. -->',
    'Only results go to stdout; messages, progress, prompts and errors go to stderr. `-h` after any command shows its flags and two examples.',
    '## For every command',
    ['| | |', '|---|---|', ...globalFlags.map(flagLine)].join('\n'),
    `The server is found from the folder you are in upwards (\`.parley/server.json\`); \`PARLEY_URL\` with \`PARLEY_TOKEN\`, or \`--url\`, name another one, \`PARLEY_DATA\` another data folder. The words follow \`LANG\` (English, Chinese).`,
    'Errors say what, why and the next step. With `--json` they are `{"error":{"code","message","hint","docs"}}` on stderr, and stdout stays empty.',
    '## Exit codes',
    [
      '| code | meaning |',
      '|---|---|',
      `| ${exitCode.ok} | it worked |`,
      `| ${exitCode.failed} | it failed |`,
      `| ${exitCode.usage} | wrong way of calling it, or it needs a terminal |`,
      `| ${exitCode.unreachable} | no server answers |`,
      `| ${exitCode.notAllowed} | not signed in, or not allowed |`,
      `| ${exitCode.waitsForHuman} | the agent waits for the answer of a person |`,
      `| ${exitCode.waitsForApproval} | a tool call waits for approval |`,
      `| ${exitCode.interrupted} | interrupted with Ctrl+C |`,
    ].join('\n'),
    '## Commands',
    ...rows.map(section),
  ].join('\n\n')}\n`
}
