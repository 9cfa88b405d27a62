import type { People, Person } from './people.ts'
import { ownerNames } from './owner-names.ts'
import type { Report } from './policy-problem.ts'
import { isRole, type Role } from './roles.ts'
import { isRecord } from '../shapes/record.ts'

export const peopleLimits = { people: 1_000, identities: 50, nameChars: 60 } as const

/** Roles a person can have; `group` and `peer` are never given by name. */
export const personRoles: readonly Role[] = ['owner', 'operator', 'member', 'guest']

/** Reads `people:`. Every field but `role` and `name` is a platform with one id, or several. */
export function parsePeople(raw: unknown, channels: readonly string[] | null, report: Report): People {
  if (raw === undefined || raw === null) return []
  if (!isRecord(raw)) {
    report(['people'], 'it must list people by name')
    return []
  }
  const entries = Object.entries(raw)
  if (entries.length > peopleLimits.people) report(['people'], `it lists more than ${peopleLimits.people} people`)
  const people = entries.flatMap(([key, fields]) => parsePerson(key, fields, channels, report) ?? [])
  reportShared(people, report)
  return people
}

function parsePerson(key: string, fields: unknown, channels: readonly string[] | null, report: Report): Person | null {
  const path = ['people', key]
  if (key === 'owner') report(path, 'the name "owner" is reserved for the person at the terminal of the server')
  if (!isRecord(fields)) {
    report(path, 'it must have a role, such as { role: member, telegram: 42 }')
    return null
  }
  const { role, name: given, ...platforms } = fields
  const name = given === undefined ? key : parseName(given, (why) => report([...path, 'name'], why))
  if (!isRole(role) || !personRoles.includes(role)) {
    report([...path, 'role'], `it must be one of ${personRoles.join(', ')}`)
    return null
  }
  const identities = Object.entries(platforms).flatMap(([platform, ids]) => {
    if (channels && !channels.includes(platform)) report([...path, platform], `there is no channel or platform "${platform}"`)
    const list: unknown[] = Array.isArray(ids) ? ids : [ids]
    return list.flatMap((id) => {
      if ((typeof id === 'string' && id.trim() !== '') || typeof id === 'number') return [{ platform, id: String(id) }]
      report([...path, platform], 'it must be an id, or a list of ids')
      return []
    })
  })
  if (identities.length > peopleLimits.identities) report(path, `it has more than ${peopleLimits.identities} ids`)
  return { key, name, role, identities }
}

/** Names stand in sentences and on cards. */
function parseName(given: unknown, report: (why: string) => void): string {
  const name = typeof given === 'string' ? given.trim() : ''
  if (name === '' || name.length > peopleLimits.nameChars || /[\p{Cc}\p{Cf}()（）[\]{}*_`~<>|\\“”"]/u.test(name) || !name.isWellFormed())
    report(`it must be text of at most ${peopleLimits.nameChars} characters, without brackets, quotation marks and formatting`)
  else if (ownerNames.has(name.toLowerCase())) report(`"${name}" stands for the person at the terminal of the server`)
  return name
}

/** One id of two people would let the first listed one decide for the other; one name would let them pass for each other. */
function reportShared(people: People, report: Report): void {
  const keyByAddress = new Map<string, string>()
  const keyByName = new Map(people.map(({ key }) => [key.toLowerCase(), key]))
  for (const { key, name } of people) {
    const other = keyByName.get(name.toLowerCase())
    if (other !== undefined && other !== key) report(['people', key, 'name'], `"${name}" is already the name of ${other}`)
    keyByName.set(name.toLowerCase(), key)
  }
  for (const { key, identities } of people)
    for (const { platform, id } of identities) {
      const other = keyByAddress.get(`${platform} ${id}`)
      if (other !== undefined) report(['people', key, platform], `${id} is already linked to ${other}`)
      keyByAddress.set(`${platform} ${id}`, key)
    }
}
