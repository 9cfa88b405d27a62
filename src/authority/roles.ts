/**
 * Roles, highest first. A role says how far text written by its holder is trusted; it never comes from a name or from a
 * model's output.
 */
export const roles = ['owner', 'operator', 'member', 'guest', 'group', 'peer'] as const

export type Role = (typeof roles)[number]

/** A person, token or agent that wrote or tapped something, with the role it had at that moment. */
export type Author = { id: string; name: string; role: Role }

const rank: Readonly<Record<Role, number>> = { owner: 5, operator: 4, member: 3, guest: 2, group: 1, peer: 0 }

export const isRole = (value: unknown): value is Role => typeof value === 'string' && Object.hasOwn(rank, value)

/** True for the same role as well. */
export const isAtLeast = (role: Role, lowest: Role): boolean => rank[role] >= rank[lowest]

export const isAtMost = (role: Role, highest: Role): boolean => rank[role] <= rank[highest]

export function lowestRole(first: Role, ...rest: readonly Role[]): Role {
  return rest.reduce((low, role) => (rank[role] < rank[low] ? role : low), first)
}
