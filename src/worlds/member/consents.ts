import type { Author } from '../../authority/roles.ts'
import { eventAuthor } from '../../dialogs/rules/event-author.ts'
import type { Caller } from '../../shapes/parley.ts'
import type { ConsentKind } from '../rules/ledger-events.ts'
import { ledgerStream } from '../rules/streams.ts'
import { type MemberParts, orRefuse, sha256 } from './member-parts.ts'

/** Records that this person approved exactly these words. The same words of the same person for the same thing are one entry. */
export async function recordConsent(
  parts: MemberParts,
  agent: string,
  { kind, text, about }: { kind: ConsentKind; text: string; about: string | null },
  caller: Caller,
): Promise<string> {
  const by: Author = eventAuthor(caller.by, caller.via)
  const at = parts.clock.now()
  const name = caller.once?.key ?? String(at)
  const consent = `cns_${sha256([agent, kind, text, about ?? '', by.id, name].join('\n')).slice(0, 24)}`
  orRefuse(
    await parts.ledgers.handle(ledgerStream(agent), [{ type: 'record-consent', at, consent, kind, text, about, by, surface: caller.via }]),
  )
  return consent
}
