import { type ApprovalDecision, approvalDecisions, approversOf, mayDecide } from '../authority/audience.ts'
import { checkScope, grantAuthor, grantEnd } from '../authority/grants.ts'
import { allows } from '../authority/match-scope.ts'
import type { Policy } from '../authority/policy.ts'
import type { ScopeProposal } from '../authority/proposals.ts'
import type { Author } from '../authority/roles.ts'
import { isWide } from '../authority/scope.ts'
import type { GrantView } from '../client/wire.ts'
import { type Approval, type ApprovalAnswer, approvalItem, type GrantFacts } from '../dialog/approval.ts'
import type { DialogCommand } from '../dialog/decide.ts'
import type { Rights } from '../dialog/decide-approval.ts'
import type { Participant } from '../dialog/events.ts'
import type { DialogState, OpenQuestion } from '../dialog/state.ts'
import { eventAuthor } from '../dialog/turn-cause.ts'
import { ParleyError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Ids } from '../ports/ids.ts'
import type { Caller, GivenAnswer, Parley } from '../ports/parley.ts'
import type { Store } from '../ports/store.ts'
import { asking } from '../streams/asking.ts'
import type { StreamHandler } from '../streams/stream-handler.ts'
import { type ApprovalRow, approvalRowView, grantView } from '../views/dialog-views.ts'

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

/** What a person's answer to an approval means: the decision, and the grants it makes. */
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
    via: string,
  ): GrantFacts[] {
    const { approval, cause } = open
    if (!approval || !cause) return []
    const author = grantAuthor(cause)
    if (typeof author === 'object' && author !== null) throw new ParleyError('decision_not_offered', { decision: lasts })
    const now = clock.now()
    const facts = { agent, tool: approval.tool, toolHash: approval.toolHash, role: approval.role, author }
    return scopesFor(open, given, via).map(({ text, where, script }): GrantFacts => ({
      ...facts,
      grant: ids.next('grant'),
      scope: text,
      ...(where ? { where } : {}),
      dialog: lasts === 'chat' ? dialog : null,
      until: grantEnd(lasts, now, given.until),
      scripts: script === undefined ? {} : pick(approval.bound, script),
    }))
  }

  /** The scope the person wrote, and for parts of the call that it does not cover the first one proposed. */
  function scopesFor({ approval }: OpenQuestion, given: GivenAnswer, via: string): ScopeProposal[] {
    if (!approval) return []
    const best = approval.proposals.map(([one]) => one)
    const proposed = (isMeant: (index: number) => boolean): ScopeProposal[] =>
      best.flatMap((one, index) => (one && isMeant(index) ? [one] : []))
    if (given.scope === undefined) return proposed(() => true)
    const checked = checkScope(given.scope, given.where ?? {}, approval.subjects)
    if ('fault' in checked) throw new ParleyError('bad_request', { field: 'scope', why: checked.fault })
    // Everything of a kind: a person has to see on the page what that means.
    if (isWide(checked.scope) && !(via === 'web' && given.isConfirmed)) throw new ParleyError('scope_too_wide', { scope: given.scope })
    const covers = (index: number): boolean => {
      const subject = approval.subjects[index]
      return subject !== undefined && allows(checked.scope, subject) === 'yes'
    }
    // A command that runs a script is allowed for the script as it was, however its scope is written.
    const script = proposed(covers).find((one) => one.script !== undefined)?.script
    const own = { text: given.scope, ...(given.where ? { where: given.where } : {}), ...(script === undefined ? {} : { script }) }
    return [own, ...proposed((index) => !covers(index))]
  }

  return {
    rights: () => ({ people: policy().people, approvers: policy().approvers }),
    refusalFor({ cause, keysGiven }, approval, { by, via }, decision) {
      const terms = { ...approval, cause: cause ?? { by: [], role: approval.role, origin: 'message' as const } }
      const may = (author: Author) => mayDecide(decision, author, terms, policy(), keysGiven)
      const verdict = may(eventAuthor(by, via))
      // A decision that is not offered is refused as such, whoever gives it.
      if ('role' in verdict || verdict.refused === 'not-offered') return null
      return { names: approversOf(terms, policy()).flatMap((author) => ('role' in may(author) ? [author.name] : [])) }
    },
    read(state, dialog, question, given, caller) {
      const open = state.questions[question]
      if (!open?.approval) return undefined
      const wanted = given.decision ?? given.choice ?? given.answers?.[approvalItem]
      const decision: ApprovalDecision | undefined = approvalDecisions.find((one) => one === wanted)
      if (decision === undefined)
        throw new ParleyError('not_a_choice', {
          item: approvalItem,
          value: (wanted ?? '').slice(0, 100),
          choices: approvalDecisions.join(', '),
        })
      const isStanding = decision === 'chat' || decision === 'always'
      return {
        decision,
        ...(given.note === undefined ? {} : { note: given.note }),
        grants: isStanding ? grantsFor(open, dialog, state.agent, decision, given, caller.via) : [],
      }
    },
    grants: {
      async list({ agent } = {}) {
        const rows = await store.rows({
          view: grantView,
          limit: approvalPageLimits.grants,
          ...(agent === undefined ? {} : { group: agent }),
        })
        return rows.map(({ body }) => body as GrantView)
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
        return (await store.row(grantView, grant))?.body as GrantView
      },
    },
    async withdraw(by, isMeant) {
      for (const dialog of await dialogsWithApprovals(store))
        if (await isMeant(dialog)) await dialogs.handle(dialog, [{ type: 'withdraw-approvals', at: clock.now(), by }])
    },
  }
}

const pick = (bound: Readonly<Record<string, string>>, script: string): Record<string, string> =>
  bound[script] === undefined ? {} : { [script]: bound[script] }
