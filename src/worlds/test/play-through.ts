import { reportStream } from '../rules/streams.ts'
import type { Store } from '../../ports/store.ts'
import type { SimulatedClock } from '../../testing/simulated-clock.ts'
import { type Household, openHousehold } from './household.ts'
import { ask, lia, listAccounts, meet, readingClub, sendRequest } from './reading-club.ts'

const request = 'crq_1'

/** The end as both owners see it. */
async function outcome(house: Household) {
  const { ada, mira } = listAccounts(house)
  const { turns } = await ask(house, ada.agent, 'conversations.turns', { request })
  const view = await ask(house, ada.agent, 'requests.get', { request })
  const dialogs = (await house.parley.dialogs.list()).items
  const messageCounts = await Promise.all(
    dialogs.map(async ({ id }) => {
      const events = await house.parley.events.read({ stream: id, after: 0, limit: 500 })
      return events.filter(({ type }) => type === 'message.said').length
    }),
  )
  const reports = await Promise.all([ada, mira].map(({ agent }) => house.member.parts.reports.load(reportStream(request, agent))))
  return {
    turns: turns.map(({ side, text }) => `${side}: ${text}`),
    end: view.end && { reason: view.end.reason, by: view.end.by },
    chat: view.chat,
    feedback: view.feedback,
    reports: reports.map(({ filed, facts, outcome: how }) => ({ text: filed?.text, source: filed?.source, turns: facts?.turns, how })),
    told: messageCounts.toSorted((one, other) => one - other),
    questions: (await house.parley.questions.list()).items.map(({ state }) => state),
  }
}

/** From the request to both announcements. Each step looks first whether an earlier process has done it. */
async function play(house: Household, clock: SimulatedClock): Promise<void> {
  await meet(house)
  await sendRequest(house, request)
  const { ada, mira } = listAccounts(house)
  await ask(house, mira.agent, 'requests.accept', { request })
  for (let round = 0; round < 60; round += 1) {
    await clock.advance(5_000)
    const open = (await house.parley.questions.list({ state: 'open' })).items
    for (const { id } of open) await house.parley.questions.answer(id, { text: 'Only the country: Portugal.' }, lia)
    const reports = await Promise.all([ada, mira].map(({ agent }) => house.member.parts.reports.load(reportStream(request, agent))))
    if (reports.every((report) => report.outcome !== null)) return
  }
}

/** Plays on one store after the other until the play ends, as processes that die do. */
export async function playThrough(open: (run: number) => Store, clock: SimulatedClock) {
  for (let run = 0; run < 4; run += 1) {
    const store = open(run)
    let house: Household | null = null
    try {
      house = await openHousehold(store, clock, readingClub)
      await play(house, clock)
      const end = await outcome(house)
      await house.close()
      return end
    } catch (error) {
      if (!(store as { crashed?: boolean }).crashed) throw error
      await house?.close().catch(() => {})
      await clock.advance(31_000)
    }
  }
  throw new Error('the play did not end')
}

export const expected = {
  turns: [
    'sender: Hello! Which book about cities do you like best?',
    'recipient: The Lisbon atlas. Where does your reader live?',
    'sender: I will ask and come back to you.',
    'sender: In Portugal.',
    'recipient: Then it is the right book. Enjoy it! [[like]]',
  ],
  end: { reason: 'asked_to_end', by: 'sender' },
  chat: 'ended',
  feedback: { gave: null, received: 'like' },
  reports: [
    { text: 'Mira recommends the Lisbon atlas.', source: 'agent', turns: 5, how: 'told' },
    { text: 'Ada looked for a book about cities.', source: 'agent', turns: 5, how: 'told' },
  ],
  told: [2, 2],
  questions: ['answered'],
}
