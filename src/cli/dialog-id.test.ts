import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ParleyClient } from '../client/index.ts'
import { dialogId, questionId } from './connect.ts'

const ids = ['dlg_1a2b', 'dlg_1a3c', 'dlg_9']
const client = { dialogs: { list: () => Promise.resolve({ items: ids.map((id) => ({ id })), next: null }) } } as unknown as ParleyClient

test('dialogId: "last" is the newest, the beginning of one id is enough, with or without its kind', async () => {
  assert.equal(await dialogId(client, 'last'), 'dlg_1a2b')
  assert.equal(await dialogId(client, 'dlg_1a3'), 'dlg_1a3c')
  assert.equal(await dialogId(client, '1a2'), 'dlg_1a2b')
  assert.equal(await dialogId(client, 'dlg_9'), 'dlg_9')
})

test('dialogId: the beginning of several ids is refused, and an unknown id is left to the server', async () => {
  await assert.rejects(dialogId(client, 'dlg_1a'), /beginning of 2 ids/)
  assert.equal(await dialogId(client, 'dlg_none'), 'dlg_none')
})

test('questionId: the same for questions and approvals', async () => {
  const questions = ['q_1a2b', 'q_1a3c'].map((id) => ({ id }))
  const asked = { questions: { list: async () => ({ items: questions, next: null }) } } as unknown as ParleyClient
  assert.equal(await questionId(asked, 'q_1a2'), 'q_1a2b')
  assert.equal(await questionId(asked, '1a3'), 'q_1a3c')
  assert.equal(await questionId(asked, 'q_none'), 'q_none')
  await assert.rejects(questionId(asked, 'q_1'), /beginning of 2 ids/)
})
