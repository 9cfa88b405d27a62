import type { Sender } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'

export const senderNameLimits = { people: 10_000, waitMs: 1_000 } as const

export type Profile = { name?: string; language?: string }

/**
 * For platforms that name people by their id in events: their names are asked for once. Without an answer in time, or when
 * `ask` finds none, the id is shown.
 */
export function senderNames<Item extends { from: Sender }>(
  ask: (item: Item) => Promise<Profile | null>,
  clock: Clock,
): <Each extends Item>(items: Each[]) => Promise<Each[]> {
  const profiles = new Map<string, Promise<Profile>>()

  function find(item: Item): Promise<Profile> {
    const user = item.from.id
    const cachedProfile = profiles.get(user)
    if (cachedProfile) return cachedProfile
    if (profiles.size >= senderNameLimits.people) profiles.clear()
    const profileRequest = ask(item).then((profile) => {
      if (!profile) profiles.delete(user)
      return profile ?? {}
    })
    profiles.set(user, profileRequest)
    return profileRequest
  }

  const late = (): { promise: Promise<Profile>; cancel: () => void } => {
    const { promise, resolve } = Promise.withResolvers<Profile>()
    return { promise, cancel: clock.after(senderNameLimits.waitMs, () => resolve({})) }
  }

  return (items) =>
    Promise.all(
      items.map(async (item) => {
        const { promise, cancel } = late()
        const profile = await Promise.race([find(item), promise])
        cancel()
        return { ...item, from: { ...item.from, ...profile } }
      }),
    )
}
