import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import * as causes from './cause.ts'
import { toAuthor, currentRole } from './people.ts'
import { isAtLeast, lowestRole, type Role, roles } from './roles.ts'
import { author, causedBy, makePolicy } from './test/samples.ts'

const role: fc.Arbitrary<Role> = fc.constantFrom(...roles)
const kinds = Object.keys({
  message: 1,
  note: 1,
  'plugin-text': 1,
  'schedule-text': 1,
  'peer-text': 1,
  'typed-answer': 1,
  'tapped-option': 1,
  'tool-output': 1,
} satisfies Record<causes.InputKind, 1>) as causes.InputKind[]
const input = fc.record({
  kind: fc.constantFrom(...kinds),
  author: fc.tuple(role, fc.constantFrom('a', 'b')).map(([one, id]) => author(one, id)),
})

describe('cause of a turn', () => {
  it('A19: no input raises the floor; only the owner does', () => {
    fc.assert(
      fc.property(role, fc.array(input), (floor, inputs) => {
        const after = causes.floorAfter(floor, inputs)
        assert.ok(isAtLeast(floor, after))
        for (const { kind, author: one } of inputs)
          if (kind !== 'tapped-option' && kind !== 'tool-output') assert.ok(isAtLeast(one.role, after))
      }),
    )
    for (const one of roles) assert.equal(causes.raiseFloor(author(one), 'owner'), one === 'owner' ? 'owner' : null)
  })

  it('A20: a side dialog is never above its asker, and brings its floor back', () => {
    fc.assert(
      fc.property(role, role, (asker, side) => {
        const down = causes.causeOfTellask(causedBy(asker), side)
        assert.equal(down.role, lowestRole(asker, side))
        assert.equal(causes.causeOfReply(causedBy(asker), down).role, down.role)
      }),
    )
  })

  it('A22: taps and tool output count neither as authors nor for the floor', () => {
    const inputs = (['tapped-option', 'tool-output'] as const).map((kind) => ({ kind, author: author('peer') }))
    assert.deepEqual(causes.causeOfTurn('owner', inputs, 'message'), { by: [], role: 'owner', origin: 'message' })
    assert.deepEqual(causes.causeOfAnswer(causedBy('owner'), { author: author('guest'), isTyped: false }), causedBy('owner'))
    assert.equal(causes.causeOfAnswer(causedBy('owner'), { author: author('guest'), isTyped: true }).role, 'guest')
  })

  it('a schedule has the lower role of its maker then and now', () => {
    assert.equal(causes.scheduleCause(author('owner'), 'member', 'owner').role, 'member')
    assert.equal(causes.scheduleCause(author('member'), 'owner', 'owner').role, 'member')
    assert.equal(causes.scheduleCause(author('owner'), null, 'owner').role, 'guest')
    assert.equal(causes.scheduleCause(author('owner'), 'owner', 'group').role, 'group')
  })

  it('logs of 0.1 get their roles from the surface', () => {
    assert.deepEqual(['web', 'cli', 'api', 'library', 'telegram', null].map(causes.roleOfVia), [
      'owner',
      'owner',
      'operator',
      'operator',
      'guest',
      'guest',
    ])
  })

  it('keeps those who could approve when there are too many authors', () => {
    const many = [...Array.from({ length: 80 }, (_, at) => author('group', `g${at}`)), author('operator', 'o')]
    const merged = causes.mergeAuthors(many)
    assert.equal(merged.length, causes.causeLimits.authors)
    assert.ok(merged.some(({ id }) => id === 'o'))
  })
})

describe('authors', () => {
  const { people } = makePolicy()
  const chat = { platform: 'telegram', account: 'main', name: 'Mia' }

  it('A21: come from ids, never from names', () => {
    assert.equal(toAuthor({ surface: 'private', ...chat, sender: '42' }, people).id, 'person:mia')
    assert.equal(toAuthor({ surface: 'private', ...chat, sender: '7' }, people).role, 'guest')
    assert.equal(toAuthor({ surface: 'group', ...chat, sender: '42' }, people).role, 'owner')
    assert.equal(toAuthor({ surface: 'group', ...chat, sender: '7' }, people).role, 'group')
    assert.equal(toAuthor({ surface: 'group', ...chat, sender: null }, people).role, 'group')
    assert.equal(toAuthor({ surface: 'group', ...chat, sender: '42', isForeign: true }, people).role, 'group')
  })

  it('a notify address is the owner only while no people are listed', () => {
    const evidence = { surface: 'private', ...chat, sender: '7', isNotifyAddress: true } as const
    assert.equal(toAuthor(evidence, []).role, 'owner')
    assert.equal(toAuthor(evidence, people).role, 'guest')
  })

  it('a token is only lowered, a plugin is a guest unless it passes on an author', () => {
    const token = { surface: 'token', id: 't', name: 't', role: 'member' } as const
    assert.equal(toAuthor({ ...token, as: 'owner' }, people).role, 'member')
    assert.equal(toAuthor({ ...token, as: 'guest' }, people).role, 'guest')
    assert.equal(toAuthor({ surface: 'plugin', name: 'p' }, people).role, 'guest')
    assert.equal(toAuthor({ surface: 'plugin', name: 'p', author: author('member') }, people).role, 'member')
    assert.equal(toAuthor({ surface: 'peer', key: 'k', name: 'owner' }, people).role, 'peer')
  })

  it('a person who was taken off the list is a guest', () => {
    assert.equal(currentRole(author('owner', 'person:gone'), people), 'guest')
    assert.equal(toAuthor({ surface: 'page', person: 'gone' }, people).role, 'guest')
    assert.equal(toAuthor({ surface: 'page', person: null }, people).role, 'owner')
  })
})

describe('names', () => {
  const { people } = makePolicy({ people: { mia: { name: 'Mia Chen', role: 'owner', telegram: 42 } } })
  const guestNamed = (name: string): string =>
    toAuthor({ surface: 'private', platform: 'telegram', account: 'main', sender: '7', name }, people).name

  it('A21: a stranger with the name of the owner or of a listed person is shown with it in quotation marks', () => {
    for (const name of ['owner', 'You', 'me', 'MIA', 'Mia  Chen', 'mia\u200B', 'the owner', '您', ''])
      assert.equal(guestNamed(name), `“${name}”`)
    for (const name of ['Mia Chan', 'Eve', 'Homeowner']) assert.equal(guestNamed(name), name)
    const group = { surface: 'group', platform: 'telegram', account: 'main', sender: '7', name: 'Mia Chen' } as const
    assert.equal(toAuthor(group, people).name, '“Mia Chen”')
  })

  it('a listed person has the name that is given for them', () => {
    const mia = { id: 'person:mia', name: 'Mia Chen', role: 'owner' }
    assert.deepEqual(toAuthor({ surface: 'private', platform: 'telegram', account: 'main', sender: '42', name: 'x' }, people), mia)
    assert.deepEqual(toAuthor({ surface: 'page', person: 'mia' }, people), mia)
  })
})
