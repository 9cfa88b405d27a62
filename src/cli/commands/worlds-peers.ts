import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ParleyError } from '../../errors.ts'
import { fingerprint, isPublicKey } from '../../worlds/keys/signing-key.ts'
import { readPublicCode } from '../../worlds/rules/identity/public-code.ts'
import { UsageError } from '../fault.ts'
import type { Given } from '../given.ts'
import { withWorldHost } from '../joined.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const { wire } = terminal.words
  const { listPeerKeys } = await import('../../app/joined-host.ts')
  const [accept, decline, pin] = [given.text('accept'), given.text('decline'), given.text('pin')]
  const card = pin === undefined ? null : (readCard(pin) ?? readPicture(resolve(terminal.cwd, pin)))
  if (pin !== undefined && !card) throw new UsageError(wire.pinUnreadable(pin), 'parley worlds peers --pin CODE=KEY')
  const code = (accept ?? decline)?.toUpperCase()
  const peers = await withWorldHost(terminal, async ({ records, identities, store }) => {
    if (card) {
      const agents = identities.list().flatMap(({ account }) => account?.agent ?? [])
      if (agents.length === 0) throw new UsageError(wire.noKey, 'parley serve')
      for (const agent of agents) await records.readCard(agent, card.code, card.key)
    }
    const all = await listPeerKeys(store)
    if (code === undefined) return all
    const changed = all.filter((peer) => peer.code === code && peer.offered)
    if (changed.length === 0) throw new UsageError(wire.noChange(code), 'parley worlds peers')
    for (const { account, offered } of changed) {
      const refusal = await records.decideKey(account, code, offered?.key ?? '', 'terminal', accept !== undefined)
      if (refusal) throw new ParleyError(refusal.code, refusal.details)
    }
    return listPeerKeys(store)
  })
  const pinned = card ? [wire.pinned(card.code, fingerprint(card.key))] : []
  const decided = code === undefined ? [] : [accept === undefined ? wire.declined(code) : wire.accepted(code)]
  terminal.result({ peers }, () => [
    ...pinned,
    ...decided,
    ...peers.map(({ code: peer, fingerprint: own, offered }) =>
      offered ? wire.keyChanged(peer, own, offered.fingerprint) : `${peer}  ${own}`,
    ),
  ])
  if (peers.length === 0 && !terminal.json) terminal.say(wire.noContacts)
}

/** The key in the description of a picture by `parley worlds card`. Nothing else of the file is read. */
function readPicture(file: string): ReturnType<typeof readCard> {
  if (!existsSync(file) || statSync(file).size > pictureBytes) return null
  const description = /<desc>([^<]{1,400})<\/desc>/.exec(readFileSync(file, 'utf8'))?.[1]
  return description === undefined ? null : readCard(description)
}

const pictureBytes = 100_000

/** `8K4TQZ=KEY` or `Mira#8K4TQZ=KEY`: a code with the key that its owner handed over. */
function readCard(text: string): { code: string; key: string } | null {
  const at = text.indexOf('=')
  const code = readPublicCode(text.slice(0, Math.max(at, 0)).split('#').at(-1) ?? '')
  const key = text.slice(at + 1).trim()
  return code !== null && isPublicKey(key) ? { code, key } : null
}
