import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

/** Looks and changes nothing: readiness, connection, and one minimal flow. */
export async function run(terminal: Terminal, _given: Given): Promise<number> {
  const { doctor, readiness } = terminal.words.worlds
  const checks = await withServer(terminal, async ({ client }) => {
    const rows: { check: string; ok: boolean; state: string; next: string | null }[] = []
    for (const { name, account } of await client.account.list()) {
      const next =
        account.readiness === 'identity_pending'
          ? doctor.setName(name)
          : account.readiness === 'profile_pending'
            ? doctor.setProfile(name)
            : null
      rows.push({ check: doctor.account(name), ok: account.readiness === 'ready', state: readiness[account.readiness], next })
      rows.push({ check: doctor.connection, ok: account.isOnline, state: account.isOnline ? doctor.ok : readiness.unpaired, next: null })
      const { items } = await client.worlds.list({ account: name, limit: 1 })
      const [first] = items
      if (first) await client.worlds.get(first.world, { account: name })
      rows.push({ check: doctor.worlds, ok: true, state: doctor.ok, next: null })
    }
    return rows
  })
  terminal.result({ checks }, () =>
    checks.map(({ check, state, next }) => `${check}: ${state}${next === null ? '' : `  ${terminal.words.next} ${next}`}`),
  )
  return checks.every(({ ok }) => ok) ? 0 : 1
}
