import type { Inbound } from '../../../ports/channel.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { SlackClient } from './client.ts'

export const senderNameLimits = { people: 10_000, waitMs: 1_000 } as const

type Profile = { name?: string; language?: string }

/** Slack names people by their id in events; their names are asked for once. Without an answer in time the id is shown. */
export function senderNames(client: () => SlackClient | null, clock: Clock): (inbounds: Inbound[]) => Promise<Inbound[]> {
  const profiles = new Map<string, Promise<Profile>>()

  async function ask(user: string): Promise<Profile> {
    const answer = await client()?.call({ operation: 'users.info', body: { user, include_locale: true } })
    if (!answer || 'failure' in answer) {
      profiles.delete(user)
      return {}
    }
    const { real_name: name, locale: language } = (answer.result['user'] ?? {}) as { real_name?: string; locale?: string }
    return { ...(name && { name }), ...(language && { language }) }
  }

  function find(user: string): Promise<Profile> {
    const known = profiles.get(user)
    if (known) return known
    if (profiles.size >= senderNameLimits.people) profiles.clear()
    const asked = ask(user)
    profiles.set(user, asked)
    return asked
  }

  const late = (): { promise: Promise<Profile>; cancel: () => void } => {
    const { promise, resolve } = Promise.withResolvers<Profile>()
    return { promise, cancel: clock.after(senderNameLimits.waitMs, () => resolve({})) }
  }

  return (inbounds) =>
    Promise.all(
      inbounds.map(async (inbound) => {
        const { promise, cancel } = late()
        const profile = await Promise.race([find(inbound.from.id), promise])
        cancel()
        return { ...inbound, from: { ...inbound.from, ...profile } }
      }),
    )
}
