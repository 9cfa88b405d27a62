import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ToolContext } from '../ports/agent-runtime.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { worldTools } from './member/world-tools.ts'
import { seatStream } from './rules/streams.ts'
import { currentBrief } from './rules/seat-state.ts'
import { openHousehold } from './test/household.ts'
import { lia, listAccounts, meet, readingClub } from './test/reading-club.ts'

type Json = Record<string, unknown>
type Turn = { approver: { name: string; via: string } | null; cause: ToolContext['cause'] }

/** Ada and Mira are in the reading club, which Mira owns. `run` calls a tool of one of them; each call has an id of its own. */
async function openClub() {
  const clock = simulatedClock()
  const house = await openHousehold(memoryStore({ clock }), clock, readingClub)
  await meet(house)
  let calls = 0
  const run = async (
    agent: 'ada' | 'mira',
    name: string,
    input: object,
    call = `call_${(calls += 1)}`,
    { approver, cause }: Turn = { approver: { name: 'Lia', via: 'web' }, cause: { by: [], role: 'owner', origin: 'message' } },
  ): Promise<Json> => {
    const tools = worldTools({ worlds: () => house.worlds, approver: async () => approver }, agent)
    const tool = tools.find((each) => each.name === name)
    assert.ok(tool)
    const checked = tool.check(input)
    assert.ok('input' in checked, JSON.stringify(checked))
    const result = await tool.run(checked.input, {
      dialog: 'dlg_1',
      agent,
      call,
      taskdoc: null,
      isSide: false,
      cause,
      signal: AbortSignal.timeout(60_000),
    })
    return JSON.parse(String(result)) as Json
  }
  const allowBroadcasts = async (): Promise<void> => {
    const { facts } = await house.worlds.worlds.get('mira', 'wld_books')
    const broadcast = { ...facts.broadcast, enabled: true }
    await house.worlds.worlds.moderate('mira', 'wld_books', { do: 'edit-facts', facts: { ...facts, broadcast } }, lia)
  }
  return { clock, house, run, allowBroadcasts, ...listAccounts(house) }
}

test('claworld_manage_world: memberships are listed and read, and the join text is changed', async () => {
  const { house, run } = await openClub()
  const listed = (await run('ada', 'claworld_manage_world', {}))['worlds'] as Json[]
  assert.deepEqual(
    listed.map(({ worldId, worldRole }) => [worldId, worldRole]),
    [['wld_books', 'member']],
  )
  const text = { worldId: 'wld_books', participantContextText: 'Looks for atlases.' }
  assert.equal((await run('ada', 'claworld_manage_world', text))['status'], 'updated')
  const membership = (await run('ada', 'claworld_manage_world', { action: 'get_membership', worldId: 'wld_books' }))['membership'] as Json
  assert.deepEqual([membership['participantContextText'], membership['membershipStatus']], ['Looks for atlases.', 'active'])
  const consents = await house.worlds.consents('ada')
  assert.ok(consents.some((each) => each.kind === 'join_text' && each.text === 'Looks for atlases.'))
  const paused = await run('ada', 'claworld_manage_world', { action: 'pause', worldId: 'wld_books' })
  assert.deepEqual([paused['status'], paused['code']], ['error', 'world_owner_only'])
  await house.close()
})

test('claworld_account: a policy with blocks is stored, an unknown field of it is refused, and nothing at all is no policy', async () => {
  const { house, run } = await openClub()
  const blocks = { originTypes: ['world_broadcast'], worldIds: ['wld_books'] }
  const set = { action: 'update_chat_policy', chatRequestApprovalPolicy: { mode: 'world_only', blocks } }
  const changed = await run('ada', 'claworld_account', set)
  assert.deepEqual(
    [changed['updated'], changed['chatRequestApprovalPolicy']],
    [['chatRequestApprovalPolicy'], { mode: 'world_only', blocks }],
  )
  const unblock = { action: 'update_chat_policy', chatRequestApprovalPolicy: { blocks: { originTypes: [] } } }
  assert.deepEqual((await run('ada', 'claworld_account', unblock))['chatRequestApprovalPolicy'], {
    mode: 'world_only',
    blocks: { originTypes: [], worldIds: ['wld_books'] },
  })
  assert.equal((await run('ada', 'claworld_account', { action: 'update_chat_policy' }))['status'], 'error')
  const [account] = worldTools({ worlds: () => house.worlds, approver: async () => null }, 'ada').filter(
    ({ name }) => name === 'claworld_account',
  )
  assert.ok(account && !('input' in account.check({ action: 'update_chat_policy', chatRequestApprovalPolicy: { block: [] } })))
  await house.close()
})

test('claworld_create_world and claworld_manage_invites: a private world is joined by an invite', async () => {
  const { house, run, ada, mira } = await openClub()
  const made = await run('mira', 'claworld_create_world', {
    displayName: 'Atlases',
    worldContextText: 'About maps.',
    participantContextText: 'Collects.',
    visibility: 'private',
  })
  const { worldId } = made['world'] as { worldId: string }
  const hidden = await run('ada', 'claworld_get_world', { worldId })
  assert.equal(hidden['code'], 'world_not_found')
  const [invite] = (await run('mira', 'claworld_manage_invites', { worldId, agentCode: ada.code }))['invites'] as Json[]
  assert.deepEqual([invite?.['agentCode'], invite?.['status']], [ada.code, 'pending'])
  await run('mira', 'claworld_manage_invites', { worldId, inviteId: invite?.['inviteId'] })
  assert.equal((await run('ada', 'claworld_get_world', { worldId }))['code'], 'world_not_found')
  await run('mira', 'claworld_manage_invites', { worldId, agentCode: ada.code })
  const joined = await run('ada', 'claworld_join_world', { worldId, participantContextText: 'Looks for maps.' })
  assert.equal(joined['membershipStatus'], 'active')
  const members = (await run('mira', 'claworld_list_members', { worldId }))['members'] as Json[]
  assert.deepEqual(new Set(members.map(({ agentCode }) => agentCode)), new Set([ada.code, mira.code]))
  await house.close()
})

test('broadcast: one request to each member with the brief of the broadcast, once a day, counted in the result', async () => {
  const { clock, house, run, allowBroadcasts, mira } = await openClub()
  const given = { worldId: 'wld_books', purpose: 'Reading evening on Friday?', openingMessage: 'Invite them. Stop after one answer.' }
  assert.equal((await run('mira', 'claworld_manage_world', given))['code'], 'broadcast_disabled')
  await allowBroadcasts()
  const made = await run('mira', 'claworld_manage_world', given, 'call_broadcast')
  await clock.advance(2_000)
  // The same call again, such as after a crash, is the same broadcast.
  const again = await run('mira', 'claworld_manage_world', given, 'call_broadcast')
  assert.equal(again['broadcastId'], made['broadcastId'])
  assert.deepEqual([again['created'], again['pending'], again['rejected']], [1, 1, 0])
  assert.equal((await run('mira', 'claworld_manage_world', given))['code'], 'broadcast_too_soon')
  const [waiting] = (await house.worlds.requests.list('ada', { direction: 'inbound' })).items
  assert.deepEqual([waiting?.origin, waiting?.purpose, waiting?.status], ['world_broadcast', given.purpose, 'pending'])
  await house.worlds.requests.accept('ada', waiting?.request ?? '', undefined, lia)
  await clock.advance(10_000)
  const seat = await house.member.parts.seats.load(seatStream(waiting?.request ?? '', mira.agent))
  assert.equal(currentBrief(seat), given.openingMessage)
  assert.ok(seat.context !== null && JSON.stringify(seat.context).includes('world_broadcast'))
  await house.close()
})

test('moderation: a report reaches the owner of the world; acts and their reasons are in the log of the world', async () => {
  const { house, run, ada, mira } = await openClub()
  const reported = await run('ada', 'claworld_report_member', {
    worldId: 'wld_books',
    agentCode: mira.code,
    reason: 'Advertises.',
    excerpt: 'Buy this atlas!',
  })
  assert.equal(reported['status'], 'recorded')
  const { worlds } = house.worlds
  const before = await worlds.moderation('mira', 'wld_books')
  assert.deepEqual(
    before.reports.map(({ by, about, reason, excerpt }) => [by.agentCode, about.agentCode, reason, excerpt]),
    [[ada.code, mira.code, 'Advertises.', 'Buy this atlas!']],
  )
  await worlds.moderate('mira', 'wld_books', { do: 'settle-report', report: before.reports[0]?.report ?? '', outcome: 'dismissed' }, lia)
  await worlds.moderate('mira', 'wld_books', { do: 'mute', agentCode: ada.code, reason: 'Too loud.' }, lia)
  await worlds.moderate('mira', 'wld_books', { do: 'set-status', status: 'paused' }, lia)
  const { log, reports, members } = await worlds.moderation('mira', 'wld_books')
  assert.equal(reports.length, 0)
  assert.equal(members.find(({ agentCode }) => agentCode === ada.code)?.isMuted, true)
  assert.deepEqual(
    log.map(({ act, about, detail }) => [act, about?.agentCode ?? null, detail]),
    [
      ['world.status-set', null, 'paused'],
      ['member.muted', ada.code, 'Too loud.'],
      ['report.settled', null, 'dismissed'],
    ],
  )
  await assert.rejects(worlds.moderation('ada', 'wld_books'), /owner/i)
  await house.close()
})

test('claworld_request_chat: a request that only a report caused is part of its chain; one that a person allowed starts anew', async () => {
  const { clock, house, run, ada, mira } = await openClub()
  const draft = { to: `Ada#${ada.code}`, brief: 'Say hello.', purpose: 'Hello' }
  const first = (await house.worlds.requests.send('mira', draft, lia)).request.request
  await house.worlds.requests.reject('ada', first)
  await clock.advance(1_000)
  const ask = (call: string, approver: { name: string; via: string } | null) =>
    run('ada', 'claworld_request_chat', { displayName: 'Mira', agentCode: mira.code, openingMessage: 'Go on.' }, call, {
      approver,
      cause: { by: [{ id: `report:${first}`, name: `Mira#${mira.code}`, role: 'member' }], role: 'member', origin: 'message' },
    })
  // Mira began this chain, so no agent of it asks her again.
  assert.equal((await ask('call_alone', null))['code'], 'chat_chain_too_long')
  assert.equal((await ask('call_allowed', { name: 'Lia', via: 'web' }))['status'], 'pending')
  await house.close()
})

test('claworld_account: the share card names the account, and comes with a changed name', async () => {
  const { house, run, ada } = await openClub()
  const viewed = await run('ada', 'claworld_account', {})
  assert.equal(viewed['shareCard'], undefined)
  const expected = { identity: `Ada#${ada.code}`, profile: 'Ada reads.', key: null, fingerprint: null, host: null }
  const { image, ...card } = (await run('ada', 'claworld_account', { generateShareCard: true }))['shareCard'] as Json
  assert.deepEqual(card, expected)
  assert.deepEqual(image, { page: '/w', command: 'parley worlds card' })
  const renamed = await run('ada', 'claworld_account', { action: 'update_identity', displayName: 'Ada B' })
  assert.equal((renamed['shareCard'] as Json)['identity'], `Ada B#${ada.code}`)
  await house.close()
})
