import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { getAddress, telegramAddress, toPlace } from './address.ts'
import { parseUpdate, parseUpdates } from './parse.ts'

const mia = { id: 7, is_bot: false, first_name: 'Mia', last_name: 'Lin', language_code: 'zh-hant' }
const privately = { id: 7, type: 'private', first_name: 'Mia' }
const group = { id: -1_001, type: 'supergroup', title: 'Team', is_forum: true }
const message = (fields: object) => ({
  update_id: 5,
  message: { message_id: 9, date: 1_700_000_000, chat: privately, from: mia, ...fields },
})
const only = (update: unknown) => {
  const [first, ...rest] = parseUpdate(update, 1)
  assert.deepEqual(rest, [])
  return first
}

test('a text in a private chat', () => {
  assert.deepEqual(only(message({ text: 'hello' })), {
    id: 'update:5',
    order: 5,
    type: 'message',
    address: '7',
    isPrivate: true,
    messageId: '9',
    from: { id: '7', name: 'Mia Lin', language: 'zh-hant' },
    at: 1_700_000_000_000,
    text: 'hello',
    media: [],
  })
})

test('a topic is a place of its own; a reply in an ordinary group is not', () => {
  const inTopic = only(
    message({ chat: group, text: 'x', message_thread_id: 3, is_topic_message: true, reply_to_message: { message_id: 3 } }),
  )
  assert.equal(inTopic?.address, '-1001:topic:3')
  assert.equal(inTopic?.type === 'message' ? inTopic.replyTo : 'no message', undefined)
  const reply = only(message({ chat: group, text: 'x', message_thread_id: 3, reply_to_message: { message_id: 4 } }))
  assert.equal(reply?.address, '-1001')
  assert.equal(reply?.type === 'message' ? reply.replyTo : 'no message', '4')
  assert.equal(reply?.isPrivate, false)
})

test('media: the largest picture, the first kind, the caption as text', () => {
  const photo = only(
    message({
      caption: 'look',
      photo: [
        { file_id: 's', file_size: 1 },
        { file_id: 'l', file_size: 9 },
      ],
    }),
  )
  assert.deepEqual(photo?.type === 'message' && [photo.text, photo.media], ['look', [{ kind: 'image', fileId: 'l', sizeBytes: 9 }]])
  const animation = only(message({ animation: { file_id: 'a', mime_type: 'video/mp4' }, document: { file_id: 'a' } }))
  assert.deepEqual(animation?.type === 'message' && animation.media, [{ kind: 'video', fileId: 'a', mimeType: 'video/mp4' }])
  const file = only(message({ document: { file_id: 'd', file_name: 'a.pdf' } }))
  assert.deepEqual(file?.type === 'message' && file.media, [{ kind: 'file', fileId: 'd', name: 'a.pdf' }])
})

test('an edit and a tap, also on a message too old to be shown', () => {
  const edited = { ...message({}).message, text: 'new', edit_date: 1_700_000_005 }
  assert.equal(only({ update_id: 6, edited_message: edited })?.type, 'edit')
  const tap = { id: '44', from: mia, data: 'pe1:c', message: { message_id: 9, chat: privately, date: 0 } }
  assert.deepEqual(only({ update_id: 7, callback_query: tap }), {
    id: 'tap:44',
    type: 'tap',
    address: '7',
    isPrivate: true,
    messageId: '9',
    from: { id: '7', name: 'Mia Lin', language: 'zh-hant' },
    at: 1,
    tap: { data: { id: '44' }, expiresAt: 60_001 },
    value: 'pe1:c',
    order: 7,
  })
})

test('parseUpdate: a sender who speaks as a chat is anonymous, whichever stand-in is named', () => {
  const standIn = { id: 1_087_968_824, is_bot: true, first_name: 'Group', username: 'GroupAnonymousBot' }
  const channel = { id: -1_009, type: 'channel', title: 'News' }
  const admin = only(message({ chat: group, text: 'x', from: standIn, sender_chat: group, author_signature: 'Mia' }))
  assert.deepEqual(admin?.from, { id: 'chat:-1001', name: 'Mia', isAnonymous: true })
  const post = only(message({ chat: group, text: 'x', from: { ...mia, id: 777_000 }, sender_chat: channel, is_automatic_forward: true }))
  assert.deepEqual(post?.from, { id: 'chat:-1009', name: 'News', isAnonymous: true })
  assert.deepEqual(parseUpdate(message({ chat: group, text: 'x', from: mia, sender_chat: { id: 'odd' } })), [])
})

test('parseUpdate: forwarded text is the message of the person who forwards it', () => {
  const other = { ...mia, id: 42, first_name: 'Olga' }
  const forwarded = only(message({ text: 'x', forward_origin: { type: 'user', sender_user: other, date: 1 }, forward_from: other }))
  assert.equal(forwarded?.from.id, '7')
})

test('telegramAddress: only a positive number is the address of a person, and a topic belongs to its chat', () => {
  for (const address of ['-5', '-5:topic:3', '@team', '']) assert.equal(telegramAddress.isGroup(address), true, address)
  assert.equal(telegramAddress.isGroup('7'), false)
  assert.deepEqual(['-5:topic:3', '7:topic:1', '-5'].map(telegramAddress.parent), ['-5', '7', null])
})

test('parseUpdates: the pictures of an album that come together are one message', () => {
  const picture = (id: number, fields: object) => ({
    ...message({ photo: [{ file_id: `p${id}` }], media_group_id: 'a', ...fields }),
    update_id: id,
  })
  const inbounds = parseUpdates([picture(1, { caption: 'both' }), message({ text: 'between' }), picture(2, {})], 1)
  assert.deepEqual(
    inbounds.map((one) => one.type === 'message' && [one.id, one.text, one.media.map(({ fileId }) => fileId)]),
    [
      ['update:1', 'both', ['p1', 'p2']],
      ['update:5', 'between', []],
    ],
  )
})

test('parseUpdate: a group that becomes a supergroup has moved', () => {
  const moved = only(message({ chat: { id: -5, type: 'group' }, migrate_to_chat_id: -1_005 }))
  assert.deepEqual(moved?.type === 'moved' && [moved.address, moved.to], ['-5', '-1005'])
})

test('parseUpdate: a person who blocks the bot, and a group that removes it', () => {
  const change = (chat: object, status: string) => {
    const inbound = only({ update_id: 5, my_chat_member: { chat, from: mia, date: 1, new_chat_member: { status } } })
    return inbound?.type === 'membership' && inbound.change
  }
  assert.deepEqual([change(privately, 'kicked'), change(privately, 'member')], ['blocked', 'unblocked'])
  assert.deepEqual([change(group, 'left'), change(group, 'administrator')], ['removed', 'added'])
})

test('parseUpdate: updates without a handler are ignored', () => {
  const nothing = [
    message({ pinned_message: {} }),
    message({ text: 'x', from: { ...mia, is_bot: true } }),
    message({ text: 'x', chat: { id: -5, type: 'channel' } }),
    { update_id: 8, channel_post: message({ text: 'x' }).message },
    { update_id: 9, callback_query: { id: '1', from: mia, inline_message_id: 'x', data: 'y' } },
    { message: message({ text: 'x' }).message },
  ]
  for (const update of nothing) assert.deepEqual(parseUpdate(update), [])
})

test('anything may come in without harm', () => {
  fc.assert(fc.property(fc.jsonValue(), (body) => Array.isArray(parseUpdate(body))))
  const oddMessage = fc.record({
    update_id: fc.integer(),
    message: fc.object({ key: fc.constantFrom('chat', 'from', 'photo', 'text', 'id', 'message_id') }),
  })
  fc.assert(fc.property(oddMessage, (body) => Array.isArray(parseUpdate(body))))
})

test('telegramAddress.parse: one spelling for a chat and a topic, none for a name', () => {
  const spelled = [
    '8005',
    '08005',
    '-0500',
    '-500:topic:0007',
    '-500:topic:7:topic:9',
    '@team',
    ' 8005',
    '99999999999999999999',
    '-5:topic:x',
  ]
  assert.deepEqual(spelled.map(telegramAddress.parse), ['8005', '8005', '-500', '-500:topic:7', '-500:topic:7', null, null, null, null])
})

test('an address is read back as it was written', () => {
  assert.deepEqual(toPlace(getAddress(-1_001, 3)), { chat_id: -1_001, message_thread_id: 3 })
  assert.deepEqual(toPlace(getAddress(7)), { chat_id: 7 })
  assert.deepEqual(toPlace('@team'), { chat_id: '@team' })
})
