import type { People, Person } from './people.ts'
import type { Report } from './policy-problem.ts'
import { isRole, type Role } from './roles.ts'
import { isRecord } from '../shapes/record.ts'

export const peopleLimits = { people: 1_000, identities: 50 } as const

/** Roles a person can have; `group` and `peer` are never given by name. */
export const personRoles: readonly Role[] = ['owner', 'operator', 'member', 'guest']

/** Reads `people:`. Every field but `role` is a platform with one id, or several. */
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
  const { role, ...platforms } = fields
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
  return { key, role, identities }
}

/** One id of two people would let the first listed one decide for the other. */
function reportShared(people: People, report: Report): void {
  const keyByAddress = new Map<string, string>()
  for (const { key, identities } of people)
    for (const { platform, id } of identities) {
      const other = keyByAddress.get(`${platform} ${id}`)
      if (other !== undefined) report(['people', key, platform], `${id} is already linked to ${other}`)
      keyByAddress.set(`${platform} ${id}`, key)
    }
}
