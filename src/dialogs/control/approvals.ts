import { type ApprovalDecision, approvalDecisions, listApprovers, mayDecide } from '../../authority/audience.ts'
import { allowsAnyContent, checkScope, grantAuthor, grantEnd, notCovering } from '../../authority/grants.ts'
import { agentOfBuilder } from '../../builds/rules/build-dialog.ts'
import { allows } from '../../authority/match-scope.ts'
import type { Policy } from '../../authority/policy.ts'
import type { ScopeProposal } from '../../authority/proposals.ts'
import { currentRole } from '../../authority/people.ts'
import { type Author, isAtLeast } from '../../authority/roles.ts'
import { isWide, parseScope } from '../../authority/scope.ts'
import { canonicalJson } from '../../authority/tool-hash.ts'
import type { GrantView } from '../../shapes/wire.ts'
import { type Approval, type ApprovalAnswer, approvalItem, type GrantFacts } from '../rules/approval.ts'
import type { DialogCommand } from '../rules/decide-dialog.ts'
import type { Rights } from '../rules/decide-approval.ts'
import type { Participant } from '../rules/dialog-events.ts'
import type { DialogState, OpenQuestion } from '../rules/dialog-state.ts'
import { eventAuthor } from '../rules/event-author.ts'
import { ParleyError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Caller, GivenAnswer, Parley } from '../../shapes/parley.ts'
import type { Store } from '../../ports/store.ts'
import { asking } from '../../streams/asking.ts'
import type { StreamHandler } from '../../streams/stream-handler.ts'
import { type ApprovalRow, approvalRowView, grantView } from '../rows/dialog-rows.ts'

export const approvalPageLimits = { grants: 500, open: 200 } as const

/** Open approvals, oldest last. Read in pages: all of them count. */
export async function openApprovals(store: Store): Promise<ApprovalRow[]> {
  const open: ApprovalRow[] = []
  for (let before: { sort: number; key: string } | undefined; ;) {
    const rows = await store.rows({
      view: approvalRowView,
      group: 'open',
      limit: approvalPageLimits.open,
      ...(before ? { before } : {}),
    })
    open.push(...rows.map(({ body }) => body as ApprovalRow))
    const last = rows.at(-1)
    if (!last || rows.length < approvalPageLimits.open) return open
    before = { sort: last.sort, key: last.key }
  }
}

const dialogsWithApprovals = async (store: Store): Promise<Set<string>> => new Set((await openApprovals(store)).map(({ dialog }) => dialog))

/** Reads a person's answer to an approval: the decision, and the grants it makes. */
export function approvals(parts: {
  store: Store
  dialogs: StreamHandler<DialogState, DialogCommand>
  policy: () => Policy
  clock: Clock
  ids: Ids
}): {
  rights(): Rights
  /** The names of those who may give this decision, where the caller may not. */
  refusalFor(open: OpenQuestion, approval: Approval, caller: Caller, decision: ApprovalDecision): { names: readonly string[] } | null
  /** Undefined for an ordinary question. */
  read(state: DialogState, dialog: string, question: string, given: GivenAnswer, caller: Caller): ApprovalAnswer | undefined
  grants: Parley['grants']
  /** Withdraws approvals that wait in these dialogs, or everywhere. */
  withdraw(by: Participant, isMeant: (dialog: string) => Promise<boolean>): Promise<void>
} {
  const { store, dialogs, policy, clock, ids } = parts
  const ask = asking(store, dialogs, 'dialog')

  function grantsFor(
    open: OpenQuestion,
    dialog: string,
    agent: string,
    lasts: 'chat' | 'always',
    given: GivenAnswer,
    caller: Caller,
  ): GrantFacts[] {
    const { approval, cause } = open
    if (!approval || !cause) return []
    const author = grantAuthor(cause)
    if (typeof author === 'object' && author !== null) throw new ParleyError('decision_not_offered', { decision: lasts })
    const now = clock.now()
    if (given.until !== undefined && given.until <= now) throw new ParleyError('bad_request', { field: 'until', why: pastEnd })
    const facts = { agent, tool: approval.tool, toolHash: approval.toolHash, role: approval.role, author }
    return scopesFor(open, given, caller).map(({ text, where, script, modules = [] }): GrantFacts => ({
      ...facts,
      ...findFields(approval, text, where),
      grant: ids.next('grant'),
      scope: text,
      ...(where ? { where } : {}),
      dialog: lasts === 'chat' ? dialog : null,
      until: grantEnd(lasts, now, given.until),
      scripts: script === undefined ? {} : pickHashes([script, ...modules], approval.bound, lasts),
    }))
  }

  /** The scope the person wrote, and for parts of the call that it does not cover the first one proposed. */
  function scopesFor({ approval }: OpenQuestion, given: GivenAnswer, { by, via }: Caller): ScopeProposal[] {
    if (!approval) return []
    const best = approval.proposals.map(([one]) => one)
    const proposed = (isMeant: (index: number) => boolean): ScopeProposal[] =>
      best.flatMap((one, index) => (one && isMeant(index) ? [one] : []))
    if (given.scope === undefined) return proposed(() => true)
    const checked = checkScope(given.scope, given.where ?? {}, approval.subjects)
    if ('fault' in checked) {
      const [example] = proposed(() => true)
      const why = example && checked.fault === notCovering ? `${checked.fault}; ${example.text} would` : checked.fault
      throw new ParleyError('bad_request', { field: 'scope', why })
    }
    if (!isAtLeast(currentRole(eventAuthor(by, via), policy().people), 'operator') && !isProposed(approval, given))
      throw new ParleyError('bad_request', { field: 'scope', why: 'only owners and operators can write a scope of their own' })
    // Everything of a kind: a person has to see on the page what that means.
    if (isWide(checked.scope) && !(via === 'web' && given.isConfirmed)) throw new ParleyError('scope_too_wide', { scope: given.scope })
    const covers = (index: number): boolean => {
      const subject = approval.subjects[index]
      return subject !== undefined && allows(checked.scope, subject) === 'yes'
    }
    // A command that runs a script is allowed for the script as it was, however its scope is written.
    const { script, modules } = proposed(covers).find((one) => one.script !== undefined) ?? {}
    const bound = { ...(script === undefined ? {} : { script }), ...(modules ? { modules } : {}) }
    const own = { text: given.scope, ...(given.where ? { where: given.where } : {}), ...bound }
    return [own, ...proposed((index) => !covers(index))]
  }

  const getTerms = (approval: Approval, cause: OpenQuestion['cause']) => ({
    ...approval,
    cause: cause ?? { by: [], role: approval.role, origin: 'message' as const },
  })

  const mayGive = ({ cause, keysGiven }: OpenQuestion, approval: Approval, { by, via }: Caller, decision: ApprovalDecision): boolean =>
    'role' in mayDecide(decision, eventAuthor(by, via), getTerms(approval, cause), policy(), keysGiven)

  return {
    rights: () => ({ people: policy().people, approvers: policy().approvers }),
    refusalFor({ cause, keysGiven }, approval, { by, via }, decision) {
      const terms = getTerms(approval, cause)
      const may = (author: Author) => mayDecide(decision, author, terms, policy(), keysGiven)
      const verdict = may(eventAuthor(by, via))
      // A decision that is not offered is refused as such for every caller.
      if ('role' in verdict || verdict.refused === 'not-offered') return null
      return { names: listApprovers(terms, policy()).flatMap((author) => ('role' in may(author) ? [author.name] : [])) }
    },
    read(state, dialog, question, given, caller) {
      const open = state.questions[question]
      if (!open?.approval) return undefined
      const choice = given.decision ?? given.choice ?? given.answers?.[approvalItem]
      const decision: ApprovalDecision | undefined = approvalDecisions.find((one) => one === choice)
      if (decision === undefined)
        throw new ParleyError('not_a_choice', {
          item: approvalItem,
          value: (choice ?? '').slice(0, 100),
          choices: approvalDecisions.join(', '),
        })
      const answer = { decision, ...(given.note === undefined ? {} : { note: given.note }), ...(given.edits ? { edits: given.edits } : {}) }
      // A scope is compared with hidden arguments: for a person who may not decide, its result would be a way to read them.
      if (decision === 'once' || decision === 'deny' || !mayGive(open, open.approval, caller, decision)) return { ...answer, grants: [] }
      return { ...answer, grants: grantsFor(open, dialog, agentOfBuilder(state.agent), decision, given, caller) }
    },
    grants: {
      async list({ agent } = {}) {
        const rows = await store.rows({
          view: grantView,
          limit: approvalPageLimits.grants,
          ...(agent === undefined ? {} : { group: agent }),
        })
        return rows.map(({ body }) => withContentNote(body as GrantView))
      },
      async revoke(grant, caller) {
        const row = await store.row(grantView, grant)
        if (!row) throw new ParleyError('grant_not_found', { grant })
        const { madeIn } = row.body as GrantView
        const command: DialogCommand = { type: 'end-grant', at: clock.now(), grant, by: caller.by, via: caller.via, why: 'revoked' }
        await ask(
          madeIn,
          () => [command],
          caller,
          () => null,
        )
        return withContentNote((await store.row(grantView, grant))?.body as GrantView)
      },
    },
    async withdraw(by, isMeant) {
      for (const dialog of await dialogsWithApprovals(store))
        if (await isMeant(dialog)) await dialogs.handle(dialog, [{ type: 'withdraw-approvals', at: clock.now(), by }])
    },
  }
}

const pastEnd = 'it is in the past; give a later time in milliseconds since 1970'

/** The fields of the call that the scope is for. */
function findFields({ subjects }: Approval, text: string, where: ScopeProposal['where']): Pick<GrantFacts, 'fields'> {
  const parsed = parseScope(text, where)
  const subject = 'scope' in parsed ? subjects.find((one) => allows(parsed.scope, one) === 'yes') : undefined
  return subject?.kind === 'mcp' || subject?.kind === 'tool' ? { fields: Object.keys(subject.scalars) } : {}
}

const isProposed = ({ proposals }: Approval, { scope, where = {} }: GivenAnswer): boolean =>
  proposals.flat().some((one) => one.text === scope && canonicalJson(one.where ?? {}) === canonicalJson(where))

/** A script without a hash would make a grant for any content of it. */
function pickHashes(scripts: readonly string[], bound: Approval['bound'], lasts: 'chat' | 'always'): Record<string, string> {
  const hashes: Record<string, string> = {}
  for (const script of scripts) {
    const hash = bound[script]
    if (hash === undefined) throw new ParleyError('decision_not_offered', { decision: lasts })
    hashes[script] = hash
  }
  return hashes
}

const withContentNote = (grant: GrantView): GrantView => (allowsAnyContent(grant) ? { ...grant, anyContent: true } : grant)
