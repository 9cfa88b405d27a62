import { type Refusal, refuse } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/store.ts'
import type { HostDelivery, HostTurn, RequestView } from '../../ports/worlds.ts'
import type { Committer } from '../../streams/committer.ts'
import { streamHandler } from '../../streams/stream-handler.ts'
import { sha256, verifyStatement } from '../keys/statements.ts'
import { acceptedKeys, type ContactState } from '../rules/contact-state.ts'
import { contactStream, transcriptStream } from '../rules/streams.ts'
import type { KeptHead, KeptTurn } from '../rules/transcript-events.ts'
import type { TranscriptState } from '../rules/transcript-state.ts'
import { chainStart, turnHash } from '../rules/turn-chain.ts'
import { contactKind } from './contact-kind.ts'
import type { SignedHead } from './frames.ts'
import { transcriptKind } from './transcript-kind.ts'

/** Records that the owner of an account keeps as proof: the keys of peers, the signed turns and the heads. */
export type MemberRecords = {
  /** Checks the turns of a delivery and keeps them. A refusal means that the delivery must not be shown to the agent. */
  checkDelivery(own: Own, delivery: HostDelivery, missing: () => Promise<HostTurn[]>): Promise<Refusal | null>
  checkHead(own: Own, request: RequestView, head: SignedHead): Promise<Refusal | null>
  /** Keeps those turns of a whole transcript that are not kept yet. */
  catchUp(own: Own, request: RequestView, turns: readonly HostTurn[]): Promise<Refusal | null>
  /** The host has taken a turn of the own side. */
  keepOwn(own: Own, turn: KeptTurn): Promise<void>
  contact(account: string, code: string): Promise<ContactState>
  /** The owner decides on a changed key. */
  decideKey(account: string, code: string, key: string, by: string, isAccepted: boolean): Promise<Refusal | null>
  readCard(account: string, code: string, key: string): Promise<void>
  head(account: string, request: string): Promise<TranscriptState>
  turns(account: string, request: string): Promise<KeptTurn[]>
}

/** One account of this owner. `keys` are the public keys that it has used, the current one first. */
export type Own = { account: string; code: string; keys(): string[] }

type ToCheck = { turn: number; text: string; previous: string; hash: string; signature: string | null; isOwn: boolean }

export function memberRecords({ store, committer, clock }: { store: Store; committer: Committer; clock: Clock }): MemberRecords {
  const contacts = streamHandler(contactKind, store, committer)
  const transcripts = streamHandler(transcriptKind, store, committer)

  /** The key of a peer as its host tells it: pinned at first contact, a change waits for the owner. */
  const seeKey = async (own: Own, { counterparty: { agentCode: code, key } }: RequestView): Promise<ContactState> => {
    const stream = contactStream(own.account, code)
    if (key === null) return contacts.known(stream)
    const contact = await contacts.known(stream)
    if (contact.key === key) return contact
    const handled = await contacts.handle(stream, [{ type: 'see-key', at: clock.now(), code, key }])
    return handled.ok ? handled.state : contacts.load(stream)
  }

  /** The key that signed the turn; null for a peer that has none. */
  async function findSigner(own: Own, request: RequestView, contact: ContactState, turn: ToCheck): Promise<string | null | Refusal> {
    const peer = request.counterparty.agentCode
    const [from, to] = turn.isOwn ? [own.code, peer] : [peer, own.code]
    const value = { from, to, intent: request.request, turn: turn.turn, previous: turn.previous, text: turn.text }
    const invalid = refuse('turn_signature_invalid', { turn: turn.turn, request: request.request, code: from }).refused
    if (turnHash(value, sha256) !== turn.hash) return invalid
    const keys = turn.isOwn ? own.keys() : acceptedKeys(contact, request.createdAt)
    // Guests over A2A have no key. A peer that once had one cannot drop it.
    if (turn.signature === null) return keys.length === 0 ? null : invalid
    for (const key of keys) if (await verifyStatement({ kind: 'turn', value }, turn.signature, key)) return key
    return contact.offered && !turn.isOwn ? refuse('peer_key_changed', { code: peer }).refused : invalid
  }

  async function keepTurns(own: Own, request: RequestView, turns: readonly ToCheck[]): Promise<Refusal | null> {
    const contact = await seeKey(own, request)
    const peer = request.counterparty.agentCode
    for (const turn of turns) {
      const signer = await findSigner(own, request, contact, turn)
      if (typeof signer === 'object' && signer !== null) return signer
      const { isOwn, ...link } = turn
      const [from, to] = isOwn ? [own.code, peer] : [peer, own.code]
      const refusal = await keep(own.account, { ...link, from, to, intent: request.request, key: signer })
      if (refusal) return refusal
    }
    return null
  }

  const keepAll = (own: Own, request: RequestView, turns: readonly HostTurn[]): Promise<Refusal | null> =>
    keepTurns(
      own,
      request,
      turns.map(({ turn, text, previous, hash, signature, side }) => ({
        turn,
        text,
        previous,
        hash,
        signature,
        isOwn: side === request.side,
      })),
    )

  async function keep(account: string, turn: KeptTurn): Promise<Refusal | null> {
    const command = { type: 'keep-turn', at: clock.now(), turn, start: chainStart(turn.intent, sha256) } as const
    const handled = await transcripts.handle(transcriptStream(turn.intent, account), [command])
    return !handled.ok && handled.why === 'refused' ? handled.refusal : null
  }

  return {
    async checkDelivery(own, { request, turns }, missing) {
      const refusal = await keepTurns(
        own,
        request,
        turns.map(({ turn, text, previous, hash, signature }) => ({ turn, text, previous, hash, signature, isOwn: false })),
      )
      if (refusal?.code !== 'transcript_gap') return refusal
      // Such as after a crash between the answer of the host and the own record.
      return keepAll(own, request, await missing())
    },
    catchUp: keepAll,
    async checkHead(own, request, head) {
      const contact = await seeKey(own, request)
      const value = { by: head.by, intent: request.request, turn: head.turn, hash: head.hash }
      const isKnownKey = acceptedKeys(contact, request.createdAt).includes(head.key) && head.by === request.counterparty.agentCode
      if (!isKnownKey || !(await verifyStatement({ kind: 'head', value }, head.signature, head.key)))
        return refuse('turn_signature_invalid', { turn: head.turn, request: request.request, code: head.by }).refused
      const keptHead: KeptHead = { by: head.by, turn: head.turn, hash: head.hash, key: head.key, signature: head.signature }
      const handled = await transcripts.handle(transcriptStream(request.request, own.account), [
        { type: 'keep-head', at: clock.now(), head: keptHead },
      ])
      return !handled.ok && handled.why === 'refused' ? handled.refusal : null
    },
    async keepOwn(own, turn) {
      await keep(own.account, turn)
    },
    contact: (account, code) => contacts.load(contactStream(account, code)),
    async decideKey(account, code, key, by, isAccepted) {
      const command = { type: isAccepted ? ('accept-key' as const) : ('decline-key' as const), at: clock.now(), key, by }
      const handled = await contacts.handle(contactStream(account, code), [command])
      return !handled.ok && handled.why === 'refused' ? handled.refusal : null
    },
    async readCard(account, code, key) {
      await contacts.handle(contactStream(account, code), [{ type: 'read-card', at: clock.now(), code, key }])
    },
    head: (account, request) => transcripts.load(transcriptStream(request, account)),
    async turns(account, request) {
      const events = await store.read(transcriptStream(request, account), 0, recordLimits.events)
      return events.filter(({ type }) => type === 'turn.kept').map(({ data }) => data as KeptTurn)
    },
  }
}

export const recordLimits = {
  /** Turns and heads of one transcript. */
  events: 500,
} as const
