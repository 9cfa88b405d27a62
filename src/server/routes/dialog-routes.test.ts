import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ClientError } from '../../client/client-error.ts'
import type { ParleyClient } from '../../client/client.ts'
import { serverUnderTest, type ServerUnderTest } from '../test/server-under-test.ts'

const refusedWith = (code: string) => (error: unknown) => error instanceof ClientError && error.code === code

describe('the shelf of dialogs, over HTTP', () => {
  let under: ServerUnderTest
  let owner: ParleyClient
  let member: ParleyClient
  let reader: ParleyClient
  let memberToken: string
  before(async () => {
    under = await serverUnderTest()
    owner = await under.client()
    memberToken = await under.token(['read', 'chat'], { role: 'member' })
    member = await under.client(['read', 'chat'], { token: memberToken })
    reader = await under.client(['read'])
  })
  after(() => under.close())

  async function listAll(client: ParleyClient, query: { archived?: 'true'; pinned?: 'true' | 'false' } = {}): Promise<string[]> {
    const texts: string[] = []
    for (let next: string | undefined; ;) {
      const page = await client.dialogs.list({ limit: 2, ...query, ...(next === undefined ? {} : { after: next }) } as never)
      texts.push(...page.items.map(({ title }) => title))
      if (page.next === null) return texts
      next = page.next
    }
  }

  test('pinned dialogs stand first on every page, for owners and for members', async () => {
    for (const [client, who] of [
      [owner, 'o'],
      [member, 'm'],
    ] as const)
      for (const number of [1, 2, 3, 4, 5]) await client.dialogs.open({ title: `${who}${number}` })
    const own = await member.dialogs.list()
    const [m2, m4] = ['m2', 'm4'].map((title) => own.items.find((each) => each.title === title)?.id ?? '')
    const everything = await owner.dialogs.list()
    const o1 = everything.items.find(({ title }) => title === 'o1')?.id ?? ''
    for (const id of [m2 ?? '', m4 ?? '']) assert.equal((await member.dialogs.pin(id)).isPinned, true)
    await owner.dialogs.pin(o1)
    assert.deepEqual((await listAll(member)).slice(0, 2).toSorted(), ['m2', 'm4'])
    assert.deepEqual((await listAll(member)).slice(2).toSorted(), ['m1', 'm3', 'm5'])
    const ofOwner = await listAll(owner)
    assert.deepEqual(ofOwner.slice(0, 3).toSorted(), ['m2', 'm4', 'o1'])
    assert.equal(new Set(ofOwner).size, 10)
    assert.deepEqual((await listAll(member, { pinned: 'true' })).toSorted(), ['m2', 'm4'])
    assert.deepEqual((await listAll(member, { pinned: 'false' })).toSorted(), ['m1', 'm3', 'm5'])
    await member.dialogs.pin(m2 ?? '', false)
    assert.equal((await listAll(member))[0], 'm4')
  })

  test('an archived dialog is listed where it is asked for, and its owner takes it out', async () => {
    const { id } = await member.dialogs.open({ title: 'old' })
    assert.equal((await member.dialogs.archive(id)).isArchived, true)
    assert.ok(!(await listAll(member)).includes('old'))
    assert.deepEqual(await listAll(member, { archived: 'true' }), ['old'])
    assert.equal((await member.dialogs.archive(id, false)).isArchived, undefined)
    assert.ok((await listAll(member)).includes('old'))
  })

  test('the dialog of another person is not found, and reading alone changes nothing', async () => {
    const { id } = await owner.dialogs.open({ title: 'private' })
    await assert.rejects(member.dialogs.pin(id), refusedWith('dialog_not_found'))
    await assert.rejects(member.dialogs.archive(id), refusedWith('dialog_not_found'))
    await assert.rejects(reader.dialogs.pin(id), refusedWith('not_allowed'))
    await assert.rejects(reader.dialogs.archive(id), refusedWith('not_allowed'))
    const response = await fetch(member.dialogs.exportAddress(id, 'jsonl'), { headers: { authorization: `Bearer ${memberToken}` } })
    assert.equal(response.status, 404)
  })

  test('an owner deletes a chat, its link says so, and a member may not', async () => {
    const { id } = await member.dialogs.open({ title: 'short' })
    await assert.rejects(member.dialogs.delete(id), refusedWith('role_too_low'))
    assert.deepEqual(await owner.dialogs.delete(id, { key: 'delete-1' }), { count: 1 })
    assert.deepEqual(await owner.dialogs.delete(id, { key: 'delete-1' }), { count: 1 })
    for (const client of [owner, member]) await assert.rejects(client.dialogs.get(id), refusedWith('dialog_deleted'))
    await assert.rejects(owner.dialogs.delete(id), refusedWith('dialog_deleted'))
    await assert.rejects(owner.dialogs.delete('dlg_none'), refusedWith('dialog_not_found'))
    assert.ok(!(await listAll(member)).includes('short'))
  })

  test('an export is a file of events or a transcript, and runs no scripts', async () => {
    const { id } = await member.dialogs.open({ title: '城市', text: '<script>你好</script>' })
    await owner.questions.list()
    const read = (format: 'jsonl' | 'markdown'): Promise<Response> =>
      fetch(member.dialogs.exportAddress(id, format), { headers: { authorization: `Bearer ${memberToken}` } })
    const jsonl = await read('jsonl')
    assert.match(jsonl.headers.get('content-disposition') ?? '', new RegExp(`^attachment; filename="${id}\\.jsonl"$`))
    assert.match(jsonl.headers.get('content-security-policy') ?? '', /sandbox/)
    const events = (await jsonl.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { seq: number; type: string })
    assert.deepEqual(events.slice(0, 3).map(({ seq, type }) => [seq, type]), [[1, 'dialog.opened'], [2, 'dialog.titled'], [3, 'message.said']]) // prettier-ignore
    const markdown = await read('markdown')
    assert.match(markdown.headers.get('content-type') ?? '', /^text\/markdown/)
    const text = await markdown.text()
    assert.match(text, /城市/)
    assert.match(text, /你好/)
    const unknown = await fetch(`${under.url}/v1/dialogs/${id}/export?format=pdf`, { headers: { authorization: `Bearer ${memberToken}` } })
    assert.equal(unknown.status, 400)
  })
})
