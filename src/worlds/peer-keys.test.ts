import assert from 'node:assert/strict'
import { test } from 'node:test'
import { peerKeys } from '../app/joined-host.ts'
import type { RequestView } from '../ports/worlds.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { groupCommitter } from '../streams/committer.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { newKey } from './keys/test/signed-talk.ts'
import { worldsNouns } from './member/worlds-nouns.ts'
import { openHousehold } from './test/household.ts'
import { lia, listAccounts, readingClub } from './test/reading-club.ts'
import { memberRecords } from './wire/member-records.ts'

test('peers: a changed key is shown first and waits for the owner, who accepts exactly the key that was shown', async () => {
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const house = await openHousehold(store, clock, readingClub)
  const { ada } = listAccounts(house)
  const records = memberRecords({ store, committer: groupCommitter(store), clock })
  const worlds = worldsNouns(house.member.parts, house.member.accounts, peerKeys({ records, origin: 'https://worlds.example.org' }, store))
  const [first, second, third] = [newKey().publicKey, newKey().publicKey, newKey().publicKey]
  const code = '8K4TQZ'
  const own = { account: ada.agent, code: ada.code, keys: () => [] }
  /** A head from the peer: its signature is wrong, but the host names the key of the peer with it. */
  const see = (key: string) =>
    records.checkHead(own, { request: 'crq_1', createdAt: 1, counterparty: { agentCode: code, key } } as RequestView, {
      by: code,
      turn: 1,
      hash: '0'.repeat(64),
      key,
      signature: '',
    })
  await records.readCard(ada.agent, '222222', third)
  await see(first)
  const known = await worlds.peers()
  assert.deepEqual(known.map(({ account, agentCode }) => `${account} ${agentCode}`).toSorted(), ['ada 222222', `ada ${code}`])
  assert.ok(known.every(({ offered }) => offered === null))
  await see(second)
  const [changed] = await worlds.peers()
  assert.deepEqual([changed?.agentCode, changed?.offered?.key], [code, second])
  await assert.rejects(worlds.decideKey('ada', { agentCode: code, key: third, isAccepted: true }, lia))
  const after = await worlds.decideKey('ada', { agentCode: code, key: second, isAccepted: true }, lia)
  assert.equal(after.find(({ agentCode }) => agentCode === code)?.offered, null)
  assert.equal((await records.contact(ada.agent, code)).key, second)
  assert.deepEqual(await house.worlds.peers(), [])
  await worlds.changeAccount('ada', { displayName: 'Ada' }, lia)
  const card = await worlds.card('ada', {})
  assert.deepEqual([card.displayName, card.agentCode, card.host, card.key], ['Ada', ada.code, 'https://worlds.example.org', null])
  await house.close()
})
