import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chatPolicyModes, defaultChatPolicy, judgeRequest, type PolicyFacts, readPolicyMode } from './chat-policy.ts'
import { kickoffNextActions, normaliseKickoff, type Kickoff } from './kickoff.ts'

const facts: PolicyFacts = {
  policy: defaultChatPolicy,
  isBlocked: false,
  origin: 'chat_request',
  world: 'w',
  isSharedWorld: false,
  isTrusted: false,
}
const judge = (mode: (typeof chatPolicyModes)[number], change: Partial<PolicyFacts> = {}): string => {
  const { decision, because } = judgeRequest({ ...facts, ...change, policy: { ...(change.policy ?? defaultChatPolicy), mode } })
  return `${decision} ${because}`
}

test('judgeRequest: one row for each mode and fact', () => {
  const rows: [mode: (typeof chatPolicyModes)[number], stranger: string, world: string, trusted: string][] = [
    ['manual_review', 'review owner_decides', 'review owner_decides', 'review owner_decides'],
    ['world_only', 'review owner_decides', 'accept shared_world', 'review owner_decides'],
    ['trusted_only', 'review owner_decides', 'review owner_decides', 'accept trusted'],
    ['trusted_or_world', 'review owner_decides', 'accept shared_world', 'accept trusted'],
    ['open', 'accept open', 'accept open', 'accept open'],
    ['reject_all', 'reject reject_all', 'reject reject_all', 'reject reject_all'],
  ]
  assert.deepEqual(
    rows.map(([mode]) => mode),
    [...chatPolicyModes],
  )
  for (const [mode, stranger, world, trusted] of rows)
    assert.deepEqual(
      [judge(mode), judge(mode, { isSharedWorld: true }), judge(mode, { isTrusted: true })],
      [stranger, world, trusted],
      mode,
    )
})

test('judgeRequest: block list, then reject_all, then blocked origins and worlds, then the mode', () => {
  const blocks = { originTypes: ['chat_request' as const], worldIds: ['w'] }
  for (const mode of chatPolicyModes) assert.equal(judge(mode, { isBlocked: true }), 'block block_list')
  assert.equal(judge('open', { policy: { mode: 'open', blocks } }), 'reject blocked_origin')
  assert.equal(judge('open', { policy: { mode: 'open', blocks: { ...blocks, originTypes: [] } } }), 'reject blocked_world')
  assert.equal(judge('reject_all', { policy: { mode: 'open', blocks } }), 'reject reject_all')
  assert.equal(judge('world_only', { isSharedWorld: true, world: null }), 'review owner_decides')
})

test('readPolicyMode: knows the older names', () => {
  assert.deepEqual(['auto_accept', 'ALL', 'manual', 'review', 'closed', 'do_not_disturb', 'open', 'constructor', ''].map(readPolicyMode), [
    'open',
    'open',
    'manual_review',
    'manual_review',
    'reject_all',
    'reject_all',
    'open',
    null,
    null,
  ])
})

const kickoff: Kickoff = {
  status: 'queued',
  reason: 'queued_sender_offline',
  turnId: null,
  deliveryId: null,
  conversationKey: '',
  localSessionKey: '',
  senderKickoffDeliveredAt: null,
  openerAcceptedAt: null,
  openerDeliveredAt: null,
  liveChatEstablishedAt: null,
  openerTurnId: null,
  openerDeliveryId: null,
  failedAt: null,
}

test('normaliseKickoff: proof of the opener promotes, clears the queue reason and fills the time', () => {
  for (const status of ['queued', 'sent'] as const) {
    const {
      status: now,
      reason,
      liveChatEstablishedAt,
    } = normaliseKickoff({ ...kickoff, status, openerAcceptedAt: 4, openerDeliveredAt: 5 })
    assert.deepEqual([now, reason, liveChatEstablishedAt], ['established', null, 5])
  }
  assert.equal(normaliseKickoff({ ...kickoff, status: 'established', openerAcceptedAt: 4 }).liveChatEstablishedAt, 4)
  assert.equal(normaliseKickoff({ ...kickoff, status: 'failed', openerDeliveredAt: 5 }).status, 'failed')
  assert.deepEqual(normaliseKickoff(kickoff), kickoff)
  assert.equal(kickoffNextActions.queued, 'wait_for_sender_runtime_availability')
})
