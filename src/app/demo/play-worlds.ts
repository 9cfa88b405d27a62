import type { Agent, Team } from '../../ports/agent-runtime.ts'
import { systemClock } from '../../ports/clock.ts'
import { defaultPolicy } from '../../authority/policy.ts'
import { ParleyError } from '../../errors.ts'
import type { Language } from '../../shapes/language.ts'
import type { Caller } from '../../shapes/parley.ts'
import type { ConversationView } from '../../shapes/worlds.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { demoWorldWords, worldOwnerTexts } from '../../words/index.ts'
import { textForPeople } from '../../worlds/rules/boundary/conversation-tokens.ts'
import { type Household, openHousehold } from '../household.ts'
import { readingClubAgents } from './worlds-households.ts'

const pollMs = 100
const longestMs = 90_000

/** Plays two households that meet in a reading club, and prints what each owner would see. `paceMs` is the pause before a line. */
export async function playWorlds(language: Language, print: (line: string) => void, paceMs: number): Promise<void> {
  const words = demoWorldWords[language]
  const { lines } = words
  const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))
  const show = async (line: string): Promise<void> => {
    await pause(paceMs)
    print(line)
  }
  const house = await openHousehold({ store: memoryStore(), team: await startTeam(language), language })
  try {
    print(words.title)
    const owner: Caller = { by: { kind: 'human', name: 'owner', role: 'owner' }, via: 'cli' }
    const request = await prepare(house, language, owner, show)
    await house.worlds.requests.accept('mira', request, undefined, owner)
    await show(lines.accepted('Mira'))
    await follow(house, request, { language, owner, show, pause })
    for (const [name, shown] of [
      ['ada', 'Ada'],
      ['mira', 'Mira'],
    ] as const) {
      await until(async () => (await house.worlds.reports.get(name, request).catch(missing))?.state === 'told', pause)
      const report = await house.worlds.reports.get(name, request)
      await show(lines.report(shown, report.text))
      if (report.nextStep !== null) await show(worldOwnerTexts[language].nextStep(report.nextStep))
      if (report.dialog) await show(lines.told(shown, (await house.parley.dialogs.get(report.dialog)).preview))
    }
    await show(lines.done)
  } finally {
    await house.close()
  }
}

const missing = (error: unknown): null => {
  if (error instanceof ParleyError) return null
  throw error
}

async function startTeam(language: Language): Promise<Team> {
  const agents = new Map<string, Agent>()
  const list = readingClubAgents(language)
  const team: Team = { default: 'ada', agent: (name) => agents.get(name), list: () => list.map(({ name, about }) => ({ name, about })) }
  for (const { name, start } of list)
    agents.set(name, (await start({ clock: systemClock, policy: () => defaultPolicy, team: () => team, budgets: {}, fast: true })).agent)
  return team
}

/** Accounts, the world and the request. Returns the id of the request. */
async function prepare({ worlds }: Household, language: Language, owner: Caller, show: (line: string) => Promise<void>): Promise<string> {
  const { ada, mira, world, purpose, lines } = demoWorldWords[language]
  await worlds.changeAccount('ada', { displayName: 'Ada', profile: ada.profile }, owner)
  const { account } = await worlds.changeAccount('mira', { displayName: 'Mira', profile: mira.profile }, owner)
  const to = `Mira#${account.identity.agentCode}`
  await show(lines.accounts(`Ada#${(await worlds.account('ada')).account.identity.agentCode}`, to))
  const club = await worlds.worlds.create(
    'mira',
    { displayName: world.name, summary: world.summary, text: world.text, joinText: mira.joinText },
    owner,
  )
  await worlds.worlds.join('ada', club.world, { text: ada.joinText, version: club.version }, owner)
  await show(lines.world(world.name))
  const { request } = await worlds.requests.send('ada', { to, brief: ada.brief, purpose, world: club.world }, owner)
  await show(lines.request('Ada', to, purpose))
  return request.request
}

async function until(isDone: () => Promise<boolean>, pause: (ms: number) => Promise<void>): Promise<void> {
  for (let waited = 0; waited < longestMs && !(await isDone()); waited += pollMs) await pause(pollMs)
}

type Scene = { language: Language; owner: Caller; show(line: string): Promise<void>; pause(ms: number): Promise<void> }

/** Prints turns as they come, and answers the one question for the owner. */
async function follow({ worlds, parley }: Household, request: string, { language, owner, show, pause }: Scene): Promise<void> {
  const { lines, answer } = demoWorldWords[language]
  let shownCount = 0
  let talk: ConversationView | null = null
  await until(async () => {
    talk = await worlds.conversations.get('ada', request)
    for (const { side, text } of talk.turns.slice(shownCount))
      await show(lines.turn(side === 'sender' ? 'Ada' : 'Mira', textForPeople(text).text))
    shownCount = talk.turns.length
    for (const { id, ask } of (await parley.questions.list({ state: 'open' })).items) {
      await show(lines.ownerAsked('Ada', ask.text))
      await parley.questions.answer(id, { text: answer }, owner)
      await show(lines.ownerAnswered(answer))
    }
    return talk.request.end !== null
  }, pause)
  const { request: view } = await worlds.conversations.get('ada', request)
  if (view.end) await show(lines.ended(worldOwnerTexts[language].ends[view.end.reason]))
}
