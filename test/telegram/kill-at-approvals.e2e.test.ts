import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { ModelEmulator } from '../../src/testing/model-emulator.ts'
import type { SeenMessage } from '../../src/testing/telegram-emulator/people.ts'
import { obedientModel } from '../fixtures/obedient-model.ts'
import { repetitions } from '../fixtures/campaign.ts'
import { eventually } from '../fixtures/eventually.ts'
import { type Friend, TelegramServer } from '../fixtures/telegram-server.ts'

const owner = 8_101
let model: ModelEmulator
let server: TelegramServer
let olga: Friend

/** `npm test` kills at every third commit: crash-points.test.ts of approvals ends a simulated process at every one. */
const commitsBetweenKills = repetitions(3, 1)
const members =
  '    ada:\n      runtime: model\n      model: loop\n      toolsets: [os, ws_read, ws_mod, memory, message]\n      writeDirs: ["**"]\n'

before(async () => {
  model = await obedientModel()
  server = await TelegramServer.open({
    channel: ['allow: { people: ["*"] }', `notify: [${owner}]`, 'agent: ada', 'streaming: false'],
    plugin: null,
    killsAtCommits: true,
    members,
    sections: `models:\n  loop: { provider: openai-compatible, baseUrl: "${model.url}", model: emulated, apiKey: none }\n`,
  })
  olga = server.friend({ id: owner, first_name: 'Olga' })
})
after(async () => {
  await server.close()
  await model.close()
})

const card = (text: string, isAgain = false): SeenMessage | undefined =>
  server
    .replies(olga.chat)
    .find((one) => one.text.includes(text) && one.keyboard.length > 0 && one.text.includes('may have taken effect') === isAgain)

const typesIn = async (dialog: string): Promise<string[]> => (await server.events(dialog)).map(({ type }) => type)
const countItems = (types: readonly string[], type: string): number => types.filter((one) => one === type).length

test(`the owner’s tap, killed after ${commitsBetweenKills === 1 ? 'every commit' : 'every third commit'}: decided once, run at most once, and asked again where the outcome is unknown`, async (t) => {
  let again = 0
  let kills = 0
  for (let number = 1; number <= 30; number += commitsBetweenKills) {
    const { mia: guest, chat } = server.friend({ first_name: `Guest ${number}` })
    const file = `killed-${number}.txt`
    const lines = (): number =>
      existsSync(join(server.dir, file)) ? readFileSync(join(server.dir, file), 'utf8').split('\n').length - 1 : 0
    server.telegram.say(chat, guest, `call run ${JSON.stringify({ command: `echo once >> ${file}` })}`)
    const prompt = await server.telegram.until(() => card(file), `a card with ${file}`)
    await server.reply(chat, /^Waiting for the owner to approve\.$/)
    const dialog = await server.dialogOf(chat)
    await server.killAfterCommits(number)
    const query = server.telegram.tap(olga.chat, olga.mia, prompt.id, 'Allow once')
    const gone = server.gone().then(() => 'gone' as const)
    const isOver = async (): Promise<'over' | undefined> => {
      const types = await typesIn(dialog).catch((): string[] => [])
      const isClosed = server.seen(olga.chat, prompt.id).keyboard.length === 0
      return isClosed && types.includes('tool.returned') && countItems(types, 'turn.finished') > 1 ? 'over' : undefined
    }
    const how = await eventually(() => Promise.race([gone, isOver()]), 'the end of the step, or of the process')
    const isUp = how === 'over' && (await server.killAfterCommits(Infinity))
    if (!isUp) await server.start()
    const outcome = await eventually(async () => {
      if (card(file, true)) return 'asked again'
      return (await typesIn(dialog)).includes('tool.returned') ? 'returned' : undefined
    }, 'a result, or a question about the interrupted call')
    assert.ok(lines() <= 1, `${file} has ${lines()} lines`)
    if (outcome === 'returned') assert.equal(lines(), 1, 'approved, so it runs')
    else {
      again += 1
      const repeat = card(file, true) ?? assert.fail('the card is gone')
      await server.toast(server.telegram.tap(olga.chat, olga.mia, repeat.id, 'Deny'))
      await eventually(async () => (await typesIn(dialog)).includes('tool.returned'), 'the end of the call')
      assert.ok(lines() <= 1)
    }
    await server.telegram.until(
      () => /Olga decided: Allow once\./.test(server.seen(olga.chat, prompt.id).text),
      'the card to say who decided',
    )
    const words = server.telegram.toasts.filter((one) => one.query === query).map(({ text }) => text)
    assert.deepEqual([...new Set(words)], ['✓ Allow once'], 'told the same, however often')
    const answered = (await server.events(dialog)).filter(
      ({ type, data }) => type === 'question.answered' && (data as { decision?: string }).decision === 'once',
    )
    assert.equal(answered.length, 1)
    if (isUp) break
    kills += 1
  }
  assert.ok(kills > 3 && kills < 30, `${kills} kills`)
  t.diagnostic(`${kills} kills, ${again} of them while the call ran`)
})
