import { ParleyError } from '../../errors.ts'
import { UsageError } from '../fault.ts'
import type { Given } from '../given.ts'
import { withWorldHost } from '../joined.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const { wire } = terminal.words
  const { listPeerKeys } = await import('../../app/joined-host.ts')
  const [accept, decline] = [given.text('accept'), given.text('decline')]
  const code = (accept ?? decline)?.toUpperCase()
  const peers = await withWorldHost(terminal, async ({ records, store }) => {
    const all = await listPeerKeys(store)
    if (code === undefined) return all
    const changed = all.filter((peer) => peer.code === code && peer.offered)
    if (changed.length === 0) throw new UsageError(wire.noContacts, 'parley worlds peers')
    for (const { account, offered } of changed) {
      const refusal = await records.decideKey(account, code, offered?.key ?? '', 'terminal', accept !== undefined)
      if (refusal) throw new ParleyError(refusal.code, refusal.details)
    }
    return listPeerKeys(store)
  })
  const notices = code === undefined ? [] : [accept === undefined ? wire.declined(code) : wire.accepted(code)]
  terminal.result({ peers }, () => [
    ...notices,
    ...peers.map(({ code: peer, fingerprint, offered }) =>
      offered ? wire.keyChanged(peer, fingerprint, offered.fingerprint) : `${peer}  ${fingerprint}`,
    ),
  ])
  if (peers.length === 0 && !terminal.json) terminal.say(wire.noContacts)
}
