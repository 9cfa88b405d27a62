import { setTimeout as sleep } from 'node:timers/promises'
import { modelEmulator } from '../../src/testing/model-emulator.ts'
import { eventually } from '../fixtures/eventually.ts'
import { modelTeam } from './model-team.ts'
import { type Finding, type Probe, type ProbedServer, type Version, withServer } from './probed-server.ts'

/** Every generation asks both agents, each in a new side dialog. */
async function runaway(version: Version): Promise<Finding> {
  let calls = 0
  const model = await modelEmulator({
    record: false,
    resting: () => {
      calls += 1
      const ask = (agent: string): object => ({
        id: `${agent}${calls}`,
        name: 'tellaskSessionless',
        args: [JSON.stringify({ targetAgentId: agent, tellaskContent: `step ${calls}` })],
      })
      return { does: 'reply', pieces: [], calls: [ask('ada'), ask('bob')] as never }
    },
  })
  const stopAndRestart = async (server: ProbedServer): Promise<Finding> => {
    const root = await server.say('Begin')
    await eventually(
      () => calls >= 20,
      () => `twenty generations, there are ${calls}`,
    )
    await server.must('POST', '/v1/stop-all', { body: { root } })
    await sleep(1_000)
    const atStop = calls
    await sleep(5_000)
    const afterStop = calls - atStop
    await server.end()
    await server.start()
    await sleep(5_000)
    const afterRestart = calls - atStop - afterStop
    return { open: afterStop + afterRestart > 0, seen: `${afterStop} generations after the stop, ${afterRestart} more after a restart` }
  }
  try {
    return await withServer(version, { files: modelTeam(model.url, [], ['ada', 'bob']) }, stopAndRestart)
  } finally {
    await model.close()
  }
}

async function failedGenerations(version: Version): Promise<Finding> {
  const reply = { pieces: Array.from({ length: 20 }, () => 'words '), calls: [] }
  const model = await modelEmulator({ resting: { does: 'cut-after', chunks: 10, reply } })
  try {
    return await withServer(version, { files: modelTeam(model.url, [], ['ada'], '  budget:\n    tokens: 1000000') }, async (server) => {
      const dialog = await server.say('Begin')
      await eventually(async () => (await server.events(dialog)).some(({ type }) => type === 'turn.failed'), 'a failed turn')
      const { spent } = await server.must('GET', `/v1/dialogs/${dialog}`)
      return {
        open: spent.tokens === 0,
        seen: `${model.requests.length} failed generations count ${spent.tokens === 0 ? 0 : 'their'} tokens`,
      }
    })
  } finally {
    await model.close()
  }
}

/** One dialog kills the process with every generation, five others work beside it. */
async function sixDeaths(version: Version): Promise<Finding> {
  let kill = async (): Promise<void> => {}
  const model = await modelEmulator({
    resting: async ({ messages }) => {
      if (!JSON.stringify(messages).includes('deadly')) return { does: 'reply', pieces: ['Done.'], delayMs: 300 }
      await kill()
      return { does: 'stall' }
    },
  })
  const isEnd = ({ type }: { type: string }): boolean => ['turn.failed', 'turn.ended', 'turn.finished'].includes(type)
  try {
    return await withServer(version, { files: modelTeam(model.url) }, async (server) => {
      let deaths = 0
      kill = () => server.end()
      const innocent: string[] = []
      for (let count = 0; count < 5; count += 1) innocent.push(await server.say(`Message ${count}`))
      await server.say('deadly').catch(() => null)
      const ends = await eventually(async () => {
        while (server.hasEnded) {
          deaths += 1
          if (deaths > 20) throw new Error(`it does not stay up: ${server.printed}`)
          await server.tryStart()
        }
        const found = await Promise.all(innocent.map(async (dialog) => (await server.events(dialog)).find(isEnd))).catch(() => [])
        return deaths >= 3 && found.length > 0 && found.every((end) => end !== undefined) && found
      }, 'the end of all turns')
      const failed = ends.filter((end) => end?.type === 'turn.failed').length
      return { open: failed > 0, seen: `${failed} of 5 innocent dialogs failed after ${deaths} deaths` }
    })
  } finally {
    await model.close()
  }
}

export const stopProbes: readonly Probe[] = [
  {
    hole: 'Two agents that delegate to each other cannot be stopped',
    tests: '`test/dialogs/stop.sqlite.test.ts`, `test/dialogs/stop.test.ts`',
    run: runaway,
  },
  {
    hole: 'Failed generations cost nothing, so that a budget is never reached',
    tests: '`src/dialogs/driver/generation-cost.test.ts`, `npm run sim`',
    run: failedGenerations,
  },
  {
    hole: 'A dialog that kills the process takes others with it',
    tests: '`test/kill.e2e.test.ts`',
    run: sixDeaths,
  },
]
