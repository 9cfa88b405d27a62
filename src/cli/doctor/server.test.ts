import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope, TokenView } from '../../shapes/wire.ts'
import { checkTokens, doctorLimits } from './server.ts'

const token = (id: string, scopes: Scope[], more: Partial<TokenView> = {}): TokenView => ({
  id,
  name: id,
  role: 'operator',
  scopes,
  limit: null,
  createdAt: 0,
  revokedAt: null,
  ...more,
})

const findingsFor = (tokens: TokenView[]) => checkTokens({ tokens: { list: async () => tokens } })

test('checkTokens: lists tokens of 0.1 with their role and the commands that lower them', async () => {
  const findings = await findingsFor([
    token('tok_chat', ['read', 'chat', 'send'], { isLegacy: true }),
    token('tok_admin', ['admin'], { isLegacy: true }),
    token('tok_answer', ['answer'], { isLegacy: true }),
    token('tok_gone', ['admin'], { isLegacy: true, revokedAt: 1 }),
    token('tok_new', ['chat', 'send']),
  ])
  assert.deepEqual(
    findings.map(({ level, next }) => [level, next]),
    [
      ['warning', 'If it needs less: parley token create --role member --scope read --scope chat, then: parley token revoke tok_chat'],
      ['warning', 'If it needs less: parley token create --role member --scope read, then: parley token revoke tok_admin'],
      ['warning', 'If it needs less: parley token create --role member --scope answer, then: parley token revoke tok_answer'],
    ],
  )
  assert.match(findings[0]?.what ?? '', /has the role operator: it may reach all dialogs and builds and send messages to every chat/)
})

test('checkTokens: lists a bounded number of tokens', async () => {
  const many = Array.from({ length: 50 }, (_, n) => token(`tok_${n}`, ['admin'], { isLegacy: true }))
  assert.equal((await findingsFor(many)).length, doctorLimits.tokensListed)
})
