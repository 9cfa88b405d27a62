import type { Finding, Probe } from './probed-server.ts'

export type Row = { readonly probe: Probe; readonly before: Finding | Error; readonly now: Finding | Error }

const cell = (finding: Finding | Error): string =>
  finding instanceof Error ? 'not examined' : `${finding.open ? '**open**' : 'closed'}: ${finding.seen}`

/** docs/HOLES.md. */
export const holesPage = (rows: readonly Row[], commit: string): string => `# Holes of 0.1

Written by \`npm run holes\`. Each probe starts a real server of 0.1 (commit \`${commit.slice(0, 12)}\`) and one of this tree, and tries the same attack on both with requests, commands and models that both understand. The command fails if a hole is open now, if it was not open in 0.1, or if a probe could not look. Where a person is asked for approval, the probe approves.

| hole | 0.1 | now | tests |
|---|---|---|---|
${rows.map(({ probe, before, now }) => `| ${probe.hole} | ${cell(before)} | ${cell(now)} | ${probe.tests} |`).join('\n')}

Not probed here, because 0.1 offers no way to reach them from outside: a clock that is set back (\`test/clock-set-back.sqlite.test.ts\`), bounds of a generation (\`src/dialogs/driver\`), pruning after 30 days (\`src/store\`), hooks of plugins over their deadline (\`src/plugins/host\`). Attacks on approvals and roles have no counterpart in 0.1; they are in \`test/approvals\` and \`test/telegram\`.
`
