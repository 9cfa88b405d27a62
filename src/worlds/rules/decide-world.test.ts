import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deciderSpecification } from '../../testing/decider-specification.ts'
import { decideWorld } from './decide-world.ts'
import { worldFacts } from './test/samples.ts'
import type { WorldEvent } from './world-events.ts'
import { dayMs, worldLimits } from './world-limits.ts'
import { evolveWorld, initialWorld, inviteStatus } from './world-state.ts'

const { given } = deciderSpecification({ initial: initialWorld, decide: decideWorld, evolve: evolveWorld })
const created: WorldEvent = {
  type: 'world.created',
  at: 0,
  data: { world: 'w', by: 'host', facts: worldFacts, text: 'Talk about books.', membership: 'm0', joinText: 'Owner' },
}
const joined = (agent: string): WorldEvent => ({
  type: 'member.joined',
  at: 1,
  data: { membership: `m_${agent}`, agent, text: 'I read.', version: 1, invite: null },
})
const isPrivate: WorldEvent = { type: 'world.edited', at: 1, data: { by: 'host', facts: { ...worldFacts, visibility: 'private' } } }
const invited: WorldEvent = {
  type: 'invite.made',
  at: 1,
  data: { invite: 'i1', agent: 'a', by: 'host', expiresAt: 1 + worldLimits.inviteMs },
}
const join = { type: 'join-world', at: 2, agent: 'a', membership: 'm1', text: 'I read.', version: 1 } as const
const at = 3

test('world: is created with its owner as first member', () => {
  given()
    .when({ type: 'create-world', at, world: 'w', by: 'host', facts: worldFacts, text: 'x', membership: 'm', joinText: 'me' })
    .thenTypes('world.created')
  given()
    .when({ type: 'create-world', at, world: 'w', by: 'host', facts: worldFacts, text: '', membership: 'm', joinText: 'me' })
    .thenRefused('empty_text')
  given()
    .when({
      type: 'create-world',
      at,
      world: 'w',
      by: 'host',
      facts: { ...worldFacts, dsl: [{ name: 'like', meaning: 'x', isCounted: true }] },
      text: 'x',
      membership: 'm',
      joinText: 'me',
    })
    .thenRefused('bad_request')
  given(created)
    .when({ type: 'create-world', at, world: 'w', by: 'other', facts: worldFacts, text: 'x', membership: 'm', joinText: 'me' })
    .thenRefused('world_exists')
  given().when(join).thenRefused('world_not_found')
  assert.equal(given(created).state.members.host?.role, 'owner')
})

test('world: joining needs the current text, a join text and an open world', () => {
  given(created).when(join).thenTypes('member.joined')
  given(created)
    .when({ ...join, version: 0 })
    .thenRefused('world_text_unread')
  given(created)
    .when({ ...join, text: ' ' })
    .thenRefused('empty_text')
  given(created, joined('a')).when(join).thenTypes()
  given(created, joined('a'))
    .when({ ...join, text: 'New' })
    .thenTypes('member.edited')
  given(created, { type: 'world.status-set', at: 1, data: { by: 'host', status: 'paused' } })
    .when(join)
    .thenRefused('world_not_open')
})

test('world: a membership outlives leaving and becomes active again', () => {
  const left: WorldEvent = { type: 'member.left', at: 2, data: { agent: 'a' } }
  const again: WorldEvent = {
    type: 'member.joined',
    at: 4,
    data: { membership: 'other', agent: 'a', text: 'Back', version: 1, invite: null },
  }
  given(created, joined('a')).when({ type: 'leave-world', at, agent: 'a' }).thenTypes('member.left')
  given(created, joined('a'), left).when(join).thenTypes('member.joined')
  const member = given(created, joined('a'), left, again).state.members.a
  assert.deepEqual([member?.membership, member?.status, member?.joinedAt, member?.text], ['m_a', 'active', 1, 'Back'])
  given(created).when({ type: 'leave-world', at, agent: 'host' }).thenRefused('world_owner_stays')
})

test('world: a private one hides from strangers, and joining accepts the invite', () => {
  given(created, isPrivate).when(join).thenRefused('world_not_found')
  const { state, when } = given(created, isPrivate, invited)
  when(join).then({ type: 'member.joined', data: { membership: 'm1', agent: 'a', text: 'I read.', version: 1, invite: 'i1' } })
  const invite = state.invites.i1 ?? assert.fail()
  assert.deepEqual([inviteStatus(invite, 2), inviteStatus(invite, invite.expiresAt)], ['pending', 'expired'])
  when({ ...join, at: invite.expiresAt }).thenRefused('world_not_found')
  given(created, isPrivate, invited, { type: 'invite.revoked', at: 2, data: { invite: 'i1', by: 'host' } })
    .when(join)
    .thenRefused('world_not_found')
  given(created, invited).when({ type: 'invite-agent', at, invite: 'i2', agent: 'a', by: 'host' }).thenTypes()
  given(created).when({ type: 'invite-agent', at, invite: 'i2', agent: 'a', by: 'a' }).thenRefused('world_owner_only')
})

test('world: its text has versions that members are shown', () => {
  const edited: WorldEvent = { type: 'world.text-edited', at: 2, data: { by: 'host', version: 2, text: 'Short talks.' } }
  given(created).when({ type: 'edit-world-text', at, by: 'host', text: 'Short talks.' }).thenTypes('world.text-edited')
  given(created).when({ type: 'edit-world-text', at, by: 'a', text: 'Mine' }).thenRefused('world_owner_only')
  const { state, when } = given(created, joined('a'), edited)
  assert.deepEqual([state.version, state.versions.map(({ text }) => text), state.members.a?.version], [2, ['Talk about books.'], 1])
  when({ type: 'read-world-text', at, agent: 'a', version: 2 }).thenTypes('member.read')
  when({ type: 'read-world-text', at, agent: 'a', version: 3 }).thenTypes()
})

test('world: closed for good', () => {
  const closed: WorldEvent = { type: 'world.status-set', at: 1, data: { by: 'host', status: 'closed' } }
  given(created).when({ type: 'set-world-status', at, by: 'host', status: 'paused' }).thenTypes('world.status-set')
  given(created, closed).when({ type: 'set-world-status', at, by: 'host', status: 'enabled' }).thenRefused('world_not_open')
})

test('broadcast: by the owner, once a day, to active members who are not muted', () => {
  const muted: WorldEvent = { type: 'member.muted', at: 2, data: { agent: 'b', by: 'host', reason: 'spam' } }
  const made: WorldEvent = { type: 'broadcast.made', at: 3, data: { broadcast: 'b0', by: 'host', purpose: 'x', to: ['a'] } }
  const broadcast = { type: 'make-broadcast', at, broadcast: 'b1', by: 'host', purpose: 'Reading evening' } as const
  given(created, joined('a'), joined('b'), muted)
    .when(broadcast)
    .then({ type: 'broadcast.made', data: { broadcast: 'b1', by: 'host', purpose: 'Reading evening', to: ['a'] } })
  given(created, made)
    .when({ ...broadcast, at: 3 + dayMs - 1 })
    .thenRefused('broadcast_too_soon')
  given(created, made)
    .when({ ...broadcast, at: 3 + dayMs })
    .thenTypes('broadcast.made')
  given(created)
    .when({ ...broadcast, by: 'a' })
    .thenRefused('world_owner_only')
  given(created, {
    type: 'world.edited',
    at: 1,
    data: { by: 'host', facts: { ...worldFacts, broadcast: { ...worldFacts.broadcast, enabled: false } } },
  })
    .when(broadcast)
    .thenRefused('broadcast_disabled')
})

test('moderation: removes, mutes and bans with a reason, by the owner alone', () => {
  const banned: WorldEvent = { type: 'agent.banned', at: 2, data: { agent: 'a', code: '8K4TQZ', by: 'host', reason: 'spam' } }
  const ban = { type: 'ban-agent', at, agent: 'a', code: '8K4TQZ', by: 'host', reason: 'spam' } as const
  given(created, joined('a')).when(ban).thenTypes('agent.banned')
  given(created, joined('a'))
    .when({ ...ban, by: 'b' })
    .thenRefused('world_owner_only')
  given(created, joined('a'))
    .when({ ...ban, reason: '' })
    .thenRefused('empty_text')
  given(created)
    .when({ ...ban, agent: 'host' })
    .thenRefused('world_owner_stays')
  const { state, when } = given(created, joined('a'), banned)
  assert.equal(state.members.a?.status, 'removed')
  when(join).thenRefused('world_banned')
  when({ type: 'unban-agent', at, agent: 'a', by: 'host' }).thenTypes('agent.unbanned')
  given(created, joined('a')).when({ type: 'remove-member', at, agent: 'a', by: 'host', reason: 'x' }).thenTypes('member.removed')
  given(created).when({ type: 'mute-member', at, agent: 'a', by: 'host', reason: 'x' }).thenRefused('not_a_member')
})

test('moderation: members report members, and the owner settles the report', () => {
  const report = { type: 'report-member', at, report: 'r1', agent: 'b', by: 'a', request: 'crq', reason: 'rude', excerpt: 'words' } as const
  given(created, joined('a')).when(report).thenTypes('member.reported')
  given(created).when(report).thenRefused('not_a_member')
  const reported: WorldEvent = {
    type: 'member.reported',
    at,
    data: { report: 'r1', agent: 'b', by: 'a', request: 'crq', reason: 'rude', excerpt: 'words' },
  }
  const { state, when } = given(created, joined('a'), reported)
  assert.equal(state.reports.r1?.excerpt, 'words')
  when(report).thenTypes()
  when({ type: 'settle-report', at, report: 'r1', by: 'host', outcome: 'warned' }).thenTypes('report.settled')
  when({ type: 'settle-report', at, report: 'r1', by: 'a', outcome: 'warned' }).thenRefused('world_owner_only')
})

test('world: counts conversations and feedback', () => {
  const like: WorldEvent = { type: 'world.counted', at, data: { what: 'like', request: 'r', from: 'host', to: 'a' } }
  const { state } = given(created, joined('a'), like, {
    type: 'world.counted',
    at,
    data: { what: 'conversation', request: 'r', from: 'host', to: 'a' },
  })
  assert.deepEqual([state.likes, state.members.a?.likes, state.conversations], [1, 1, 1])
})
