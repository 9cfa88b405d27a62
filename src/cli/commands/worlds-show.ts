import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'
import { oneLine } from '../plain-text.ts'
import { describeIdentity } from '../world-words.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const { words, paint } = terminal
  const of = { account: given.text('account') }
  const { world, candidates } = await withServer(terminal, async ({ client }) => {
    const detail = await client.worlds.get(given.arg(0), of)
    return { world: detail, candidates: detail.membership === 'active' ? await client.worlds.candidates(detail.world, of) : [] }
  })
  terminal.result({ ...world, candidates }, () => [
    `${paint.bold(oneLine(world.displayName))}  ${words.worlds.worldStatus[world.status]} · ${words.worlds.members(world.stats.members)} · ${describeIdentity(world.owner)}`,
    words.worlds.readFirst(world.version),
    ...world.text.split('\n').map((line) => `  ${oneLine(line)}`),
    ...(candidates.length > 0
      ? [words.worlds.candidates, ...candidates.map((one) => `  ${describeIdentity(one)}  ${oneLine(one.text)}`)]
      : []),
  ])
  if (world.membership !== 'active' && !terminal.json)
    terminal.say(`${words.next} parley worlds join ${world.world} --read ${world.version} --text "…"`)
}
