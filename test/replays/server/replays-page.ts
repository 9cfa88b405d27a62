import type { Wire } from '../../../src/agents/wires/wire.ts'
import type { BehaviourLine } from '../../../src/testing/model-behaviours.ts'
import type { Progress } from '../campaign.ts'
import { leftOut, sentenceChecks } from './check-line.ts'

type WireResult = Progress | null

export type LineResult = { line: BehaviourLine; wires: Record<Wire, WireResult>; runtime: Record<Wire, string | null> }

const cell = (result: WireResult): string => {
  if (result === null) return '–'
  const kills = `${result.kills} kills${result.isOver ? '' : ', not ended'}`
  return result.faults.length === 0 ? `ok, ${kills}` : `**${result.faults.length} faults**, ${kills}`
}

/** docs/REPLAYS.md: written by `npm run replays`. */
export function replaysPage(results: readonly LineResult[], date: string): string {
  const checks = results.flatMap(({ line }) => sentenceChecks[line.id] ?? [])
  const onServer = checks.filter((check) => typeof check === 'function').length
  const inRuntime = checks.filter((check) => check === 'runtime').length
  const plays = results.flatMap(({ wires }) => Object.values(wires)).filter((one) => one !== null)
  const kills = plays.reduce((sum, one) => sum + one.kills, 0)
  const faults = results.flatMap(({ line, wires, runtime }) => [
    ...Object.entries(wires).flatMap(([wire, one]) => (one?.faults ?? []).map((fault) => `- ${line.id}, ${wire}: ${fault}`)),
    ...Object.entries(runtime).flatMap(([wire, fault]) => (fault === null ? [] : [`- ${line.id}, ${wire}, runtime alone: ${fault}`])),
  ])
  const reasons = results.flatMap(({ line }) =>
    (sentenceChecks[line.id] ?? []).flatMap((check, at) =>
      typeof check === 'object' ? [`| ${line.id} | ${line.expect[at]?.replaceAll('|', '\\|')} | ${check.not} |`] : [],
    ),
  )
  const ended = plays.filter(({ isOver }) => isOver).length
  const how =
    'once undisturbed, then once for each point before and after each of its commits. The work of a line is held at its point (`test/fixtures/hold-commits.ts`); when all lines of a server are held there, the process gets SIGKILL and is started again on the same data'
  return [
    '# Replays of model behaviours',
    '',
    `Written by \`npm run replays\` on ${date}. Each line of \`test/fixtures/model-behaviours.jsonl\` is said to the real server process (\`parley serve\`, SQLite) by a scripted model, in every wire that can express it: ${how}. Each play ends with the checks of its sentences and the rules that hold for every line: no call, result, request, reply or message twice, each request with one reply, no empty assistant message.`,
    '',
    '| | |',
    '|---|---|',
    `| lines | ${results.length} |`,
    `| line × wire | ${plays.length} |`,
    `| of these, killed at every commit | ${ended} |`,
    `| plays killed | ${kills} |`,
    `| sentences with a check on the server | ${onServer} of ${checks.length} |`,
    `| sentences checked with the model runtime alone | ${inRuntime} |`,
    `| sentences that other tests check, or none | ${reasons.length} |`,
    `| faults | ${faults.length} |`,
    '',
    '## Lines',
    '',
    '| line | chat | responses | anthropic | sentences checked |',
    '|---|---|---|---|---|',
    ...results.map(({ line, wires }) => {
      const own = sentenceChecks[line.id] ?? []
      const checked = own.filter((check) => typeof check !== 'object').length
      return `| ${line.id} | ${cell(wires.chat)} | ${cell(wires.responses)} | ${cell(wires.anthropic)} | ${checked} of ${own.length} |`
    }),
    '',
    '## Sentences that are not checked here',
    '',
    '| line | sentence | reason, and the test that checks it |',
    '|---|---|---|',
    ...reasons,
    '',
    '## Parts of sentences that are not checked',
    '',
    '| line | part |',
    '|---|---|',
    ...results.flatMap(({ line: { id } }) => (leftOut[id] === undefined ? [] : [`| ${id} | ${leftOut[id]} |`])),
    '',
    '## Faults',
    '',
    ...(faults.length === 0 ? ['None.'] : faults),
    '',
  ].join('\n')
}
