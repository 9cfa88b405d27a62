import { eventAuthor } from '../../dialogs/rules/event-author.ts'
import { calendarDay } from '../../dialogs/rules/budget-scopes.ts'
import { ParleyError, type Refusal } from '../../errors.ts'
import type { HostInput, HostOperation, HostOutput, RequestView } from '../../ports/worlds.ts'
import type { Caller } from '../../shapes/parley.ts'
import type { OwnAccountView, PeerKeyView, Worlds } from '../../shapes/worlds.ts'
import { readPolicyMode } from '../rules/chat-policy.ts'
import { daySpending } from '../rules/ledger-state.ts'
import { ledgerStream } from '../rules/streams.ts'
import { worldLimits } from '../rules/world-limits.ts'
import { initialWorld } from '../rules/world-state.ts'
import { recordConsent } from './consents.ts'
import { conversationNouns } from './conversation-nouns.ts'
import { type MemberParts, onceId, orRefuse, orThrow, type OwnAccount } from './member-parts.ts'
import { broadcastBriefName } from './broadcast-brief.ts'
import { memberViews } from './member-rows.ts'
import { reportNouns } from './report-nouns.ts'
import { renderAccountCard } from './share-card.ts'
import { requestNouns } from './request-nouns.ts'

export const waitingLimits = { requests: 200 } as const

/** The keys of peers, where turns are signed. `account` is an agent id; `host` is null in a household. */
export type PeerKeys = {
  host: string | null
  fingerprint(key: string): string
  list(): Promise<PeerKeyView[]>
  decide(account: string, code: string, key: string, by: string, isAccepted: boolean): Promise<Refusal | null>
}

export const noPeerKeys: PeerKeys = { host: null, fingerprint: (key) => key, list: async () => [], decide: async () => null }

export type NounParts = {
  parts: MemberParts
  find(account: string | undefined): OwnAccount
  call<Name extends HostOperation>(account: OwnAccount, name: Name, input: HostInput<Name>): Promise<HostOutput<Name>>
}

/** Everything an owner does with worlds. Texts that leave are recorded in the consent ledger first, in the name of the caller. */
export function worldsNouns(parts: MemberParts, accounts: () => readonly OwnAccount[], keys: PeerKeys = noPeerKeys): Worlds {
  const find = (name: string | undefined): OwnAccount => {
    const all = accounts()
    const names = all.map((each) => each.name).join(', ')
    const account = name === undefined ? all[0] : all.find((each) => each.name === name)
    if (!account) throw new ParleyError('agent_not_found', { agent: name ?? '', known: names })
    if (name === undefined && all.length > 1) throw new ParleyError('bad_request', { field: 'account', why: `name one of ${names}` })
    return account
  }
  const nouns: NounParts = {
    parts,
    find,
    call: async (account, name, input) => orThrow(await parts.host.call(account.agent, name, input)),
  }
  return {
    ...accountNouns(nouns, accounts),
    ...keyNouns(nouns, accounts, keys),
    worlds: placeNouns(nouns),
    requests: requestNouns(nouns),
    conversations: conversationNouns(nouns),
    reports: reportNouns(nouns),
  }
}

async function toView({ parts, call }: NounParts, account: OwnAccount): Promise<OwnAccountView> {
  const ledger = await parts.ledgers.known(ledgerStream(account.agent))
  const today = calendarDay(parts.clock.now(), parts.timeZone)
  const worlds = Object.entries(ledger.worldBudgets).map(([world, most]) => ({ world, ...most, spent: daySpending(ledger, today, world) }))
  return {
    name: account.name,
    account: await call(account, 'account.view', {}),
    budget: { ...ledger.budget, spent: daySpending(ledger, today), worlds },
    stopped: ledger.stopped,
  }
}

function accountNouns(nouns: NounParts, accounts: () => readonly OwnAccount[]) {
  const { parts, find, call } = nouns
  const inLedger = async (name: string | undefined, commands: Parameters<MemberParts['ledgers']['handle']>[1]): Promise<OwnAccountView> => {
    const account = find(name)
    orRefuse(await parts.ledgers.handle(ledgerStream(account.agent), commands))
    return toView(nouns, account)
  }
  const author = ({ by, via }: Caller) => eventAuthor(by, via)
  return {
    async waiting() {
      const now = parts.clock.now()
      const lists = await Promise.all(
        accounts().map(async ({ agent, name, limits, reporting }) => {
          const rows = await parts.store.rows({ view: memberViews.waiting, group: agent, limit: waitingLimits.requests })
          const bounds = { turns: worldLimits.turns, money: limits.money, reporting }
          return rows.map(({ body }) => ({ account: name, request: body as RequestView, bounds }))
        }),
      )
      return lists
        .flat()
        .filter(({ request }) => request.expiresAt > now)
        .toSorted((one, other) => other.request.createdAt - one.request.createdAt)
    },
    accounts: () => Promise.all(accounts().map((account) => toView(nouns, account))),
    account: async (name) => toView(nouns, find(name)),
    async changeAccount(name, { displayName, profile, mode, blockedWorlds, blockedOrigins }, caller) {
      const account = find(name)
      if (displayName !== undefined) {
        await recordConsent(parts, account.agent, { kind: 'display_name', text: displayName, about: null }, caller)
        await call(account, 'account.name', { displayName })
      }
      if (profile !== undefined) {
        await recordConsent(parts, account.agent, { kind: 'profile', text: profile, about: null }, caller)
        await call(account, 'account.describe', { profile })
      }
      if (mode !== undefined || blockedWorlds !== undefined || blockedOrigins !== undefined) {
        const { policy: now } = await call(account, 'account.view', {})
        const read = mode === undefined ? now.mode : readPolicyMode(mode)
        if (read === null) throw new ParleyError('bad_request', { field: 'mode', why: `"${mode ?? ''}" is not a chat policy` })
        const blocks = {
          originTypes: [...(blockedOrigins ?? now.blocks.originTypes)],
          worldIds: [...(blockedWorlds ?? now.blocks.worldIds)],
        }
        const policy = { mode: read, blocks }
        await recordConsent(parts, account.agent, { kind: 'chat_policy', text: JSON.stringify(policy), about: null }, caller)
        await call(account, 'account.set-policy', { policy })
      }
      return toView(nouns, account)
    },
    changeBudget: (name, { world, ...budget }, caller) =>
      inLedger(name, [
        { type: 'set-day-budget', at: parts.clock.now(), budget, by: author(caller), ...(world !== undefined && { world }) },
      ]),
    stop: (name, caller) => inLedger(name, [{ type: 'stop-talks', at: parts.clock.now(), by: author(caller) }]),
    resume: (name, caller) => inLedger(name, [{ type: 'resume-talks', at: parts.clock.now(), by: author(caller) }]),
    async setStandingBrief(name, { text, world }, caller) {
      const account = find(name)
      if (text !== null) await recordConsent(parts, account.agent, { kind: 'standing_brief', text, about: world ?? null }, caller)
      return inLedger(name, [{ type: 'set-standing-brief', at: parts.clock.now(), world: world ?? null, text }])
    },
    async consents(name) {
      const { consents } = await parts.ledgers.known(ledgerStream(find(name).agent))
      return consents.toReversed().map(({ consent, by, ...rest }) => ({ ...rest, id: consent, by: by.name }))
    },
  } satisfies Omit<Worlds, 'worlds' | 'requests' | 'conversations' | 'reports' | 'card' | 'peers' | 'decideKey'>
}

function keyNouns(
  { find, call }: NounParts,
  accounts: () => readonly OwnAccount[],
  keys: PeerKeys,
): Pick<Worlds, 'card' | 'peers' | 'decideKey'> {
  const peers = async (): Promise<PeerKeyView[]> => {
    const names = new Map(accounts().map(({ agent, name }) => [agent, name]))
    const own = (await keys.list()).flatMap((peer) => {
      const account = names.get(peer.account)
      return account === undefined ? [] : [{ ...peer, account }]
    })
    return own.toSorted((one, other) => Number(other.offered !== null) - Number(one.offered !== null))
  }
  return {
    async card(name, { language }) {
      const account = find(name)
      const { identity, profile, key, readiness, requiredAction } = await call(account, 'account.view', {})
      const { displayName, agentCode } = identity
      if (displayName === null) throw new ParleyError('public_identity_incomplete', { readiness, requiredAction })
      const chosen = language ?? account.language
      const card = { displayName, agentCode, profile: profile ?? '', key, host: keys.host }
      const fingerprint = key === null ? null : keys.fingerprint(key)
      const svg = renderAccountCard({ ...card, identity: { displayName, agentCode } }, fingerprint, chosen)
      return { ...card, fingerprint, svg, language: chosen, fileName: `parley-${agentCode}-${chosen}.svg` }
    },
    peers,
    async decideKey(name, { agentCode, key, isAccepted }, { by }) {
      const refusal = await keys.decide(find(name).agent, agentCode.toUpperCase(), key, by.name, isAccepted)
      if (refusal) throw new ParleyError(refusal.code, refusal.details)
      return peers()
    },
  }
}

function placeNouns({ parts, find, call }: NounParts): Worlds['worlds'] {
  return {
    list: (name, { query, sort, ...page }) =>
      call(find(name), 'worlds.list', { ...page, ...(query === undefined ? {} : { query }), ...(sort === undefined ? {} : { sort }) }),
    get: (name, world) => call(find(name), 'worlds.get', { world }),
    async create(name, { displayName, summary = '', text, joinText, tags = [], visibility = 'public' }, caller) {
      const account = find(name)
      await recordConsent(parts, account.agent, { kind: 'world_text', text, about: displayName }, caller)
      await recordConsent(parts, account.agent, { kind: 'join_text', text: joinText, about: displayName }, caller)
      const facts = { ...initialWorld.facts, displayName, summary, tags, visibility }
      return call(account, 'worlds.create', { world: parts.ids.next('wld'), facts, text, joinText })
    },
    async join(name, world, { text, version }, caller) {
      const account = find(name)
      await recordConsent(parts, account.agent, { kind: 'join_text', text, about: world }, caller)
      return call(account, 'worlds.join', { world, text, version })
    },
    leave: (name, world) => call(find(name), 'worlds.leave', { world }),
    candidates: async (name, world, limit) =>
      (await call(find(name), 'worlds.candidates', { world, ...(limit === undefined ? {} : { limit }) })).candidates,
    moderation: (name, world) => call(find(name), 'worlds.moderation', { world }),
    async moderate(name, world, act, caller) {
      const account = find(name)
      if (act.do === 'edit-text') await recordConsent(parts, account.agent, { kind: 'world_text', text: act.text, about: world }, caller)
      return call(account, 'worlds.moderate', { world, act })
    },
    async broadcast(name, world, { purpose, brief }, caller) {
      const account = find(name)
      if (brief.trim() === '') throw new ParleyError('empty_text', { field: 'brief' })
      const broadcast = onceId(parts, 'brc', account.agent, caller)
      await recordConsent(parts, account.agent, { kind: 'broadcast', text: purpose, about: world }, caller)
      const consent = await recordConsent(parts, account.agent, { kind: 'brief', text: brief, about: broadcast }, caller)
      // Stored before the broadcast is made: members that accept by policy are talked to at once.
      await parts.committer.commit({ once: [{ key: broadcastBriefName(broadcast, account.agent), value: { text: brief, consent } }] })
      return call(account, 'worlds.broadcast', { world, broadcast, purpose, hasBrief: true })
    },
    async report(name, world, { agentCode, reason, excerpt = '' }, caller) {
      const account = find(name)
      const report = onceId(parts, 'rpt', account.agent, caller)
      return call(account, 'worlds.report-member', { world, report, agentCode, request: null, reason, excerpt })
    },
  }
}
