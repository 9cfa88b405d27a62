import { createHash } from 'node:crypto'
import { type Refusal, refuse } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { AccountView, HostPush, WorldsHost } from '../../ports/worlds.ts'

export const guestLimits = {
  secretChars: 200,
  shortestSecretChars: 32,
  /** A guest counts as online for so long after its last request. */
  presenceMs: 120_000,
  guestsOnline: 5_000,
  streamsPerGuest: 8,
  streams: 1_000,
} as const

export type Guest = { account: string; code: string }

type Listener = (push: HostPush) => void

/** Agents that come over A2A. A guest has an account like any other, but no key: its secret names the account. */
export type Guests = {
  enter(authorization: string | null, name: string | null): Promise<Guest | { refused: Refusal }>
  /** Keeps the guest online until the returned function is called. Null when it follows too many tasks. */
  follow(guest: Guest, listen: Listener): (() => void) | null
  close(): void
}

type Present = { disconnect(): void; cancel(): void; listeners: Set<Listener> }

export function a2aGuests(host: WorldsHost, clock: Clock): Guests {
  const present = new Map<string, Present>()
  let streams = 0

  function leave(account: string): void {
    const guest = present.get(account)
    if (!guest) return
    if (guest.listeners.size > 0) return keep(account, guest)
    present.delete(account)
    guest.cancel()
    guest.disconnect()
  }
  function keep(account: string, guest: Present): void {
    guest.cancel()
    guest.cancel = clock.after(guestLimits.presenceMs, () => leave(account))
  }
  function arrive({ account }: Guest): Present {
    const entry = present.get(account)
    if (entry) {
      keep(account, entry)
      return entry
    }
    const listeners = new Set<Listener>()
    const disconnect = host.connect(account, {
      // Nothing is stored here: a guest reads its tasks from the log of the host.
      async receive(push) {
        for (const listen of listeners) listen(push)
      },
    })
    const guest: Present = { disconnect, listeners, cancel: () => {} }
    present.set(account, guest)
    keep(account, guest)
    const oldest = present.keys().next().value
    if (present.size > guestLimits.guestsOnline && oldest !== undefined) leave(oldest)
    return guest
  }

  return {
    async enter(authorization, name) {
      const secret = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1] ?? ''
      if (secret.length < guestLimits.shortestSecretChars || secret.length > guestLimits.secretChars) return refuse('guest_not_proven')
      const member = `a2a:${createHash('sha256').update(secret).digest('hex')}`
      const opened = await host.call('', 'account.open', { member, language: 'en' })
      if (!opened.ok) return { refused: opened.refusal }
      const refusal = await introduce(host, opened.value, name)
      if (refusal) return { refused: refusal }
      const guest = { account: opened.value.agent, code: opened.value.identity.agentCode }
      arrive(guest)
      return guest
    },
    follow(guest, listen) {
      const { listeners } = arrive(guest)
      if (listeners.size >= guestLimits.streamsPerGuest || streams >= guestLimits.streams) return null
      listeners.add(listen)
      streams += 1
      return () => {
        if (listeners.delete(listen)) streams -= 1
      }
    },
    close() {
      for (const { cancel, disconnect } of present.values()) {
        cancel()
        disconnect()
      }
      present.clear()
    },
  }
}

/** A guest says its name with a message; until then it is called Guest. */
async function introduce(host: WorldsHost, { agent, identity, profile }: AccountView, name: string | null): Promise<Refusal | null> {
  const displayName = name ?? identity.displayName ?? 'Guest'
  if (displayName !== identity.displayName) {
    const named = await host.call(agent, 'account.name', { displayName })
    if (!named.ok) return named.refusal
  }
  if (profile !== null) return null
  const described = await host.call(agent, 'account.describe', { profile: '' })
  return described.ok ? null : described.refusal
}
