import type { Language } from '../../shapes/language.ts'
import { authorityWords, dialogTexts } from '../../words/index.ts'
import { becauseWords } from '../../words/page-parts.ts'
import { listApprovers } from '../../authority/audience.ts'
import { becauseText } from '../../authority/because-text.ts'
import type { Cause } from '../../authority/cause.ts'
import { decide } from '../../authority/decide.ts'
import type { Decision, GateCall } from '../../authority/decision.ts'
import type { Grant } from '../../authority/grants.ts'
import type { Policy } from '../../authority/policy.ts'
import { proposeScopes } from '../../authority/proposals.ts'
import { isAtLeast } from '../../authority/roles.ts'
import { type Extraction, toolSubject } from '../../authority/subjects/tool-subjects.ts'
import { withVisibleCharacters } from '../../authority/visible-text.ts'
import { canonicalJson } from '../../authority/tool-hash.ts'
import { type Approval, approvalItem, approvalLimits, type GateRecord, type ShownCall } from '../rules/approval.ts'
import type { AskedQuestion } from '../rules/decide-question.ts'
import type { DialogState } from '../rules/dialog-state.ts'
import { getCause } from '../rules/turn-cause.ts'
import type { Agent, Tool } from '../../ports/agent-runtime.ts'
import type { Ids } from '../../ports/ids.ts'
import { failureText } from './failure-text.ts'
import { approvalTitle } from '../../authority/approval-title.ts'
import { hashOfTool, sha256 } from './hash-of-tool.ts'
import { treeToolNamed } from './tree-gates.ts'

export type GateParts = {
  policy(): Policy
  /** Grants of this agent that are in force. */
  listGrants(agent: string): Promise<readonly Grant[]>
  /** Open approvals, in all dialogs, of calls these authors caused. */
  openApprovals(authors: readonly string[]): Promise<number>
  /** True when people have allowed at least this many of the latest calls of the kind. */
  approvedBefore(kind: ShownCall['kind'], most: number): Promise<boolean>
  /** Grants for an earlier definition of a tool: they match nothing any more. */
  endGrants(grants: readonly string[]): void
}

export type Judged =
  /** `real` is the path on the disk that was judged, for tools of one path. */
  | { decision: 'allow'; record: GateRecord; real?: string }
  /** `text` is what the agent reads instead of a result. */
  | { decision: 'deny'; record: GateRecord; text: string }
  | { decision: 'ask'; record: GateRecord; asked: AskedQuestion; real?: string }

/** `cause` is set for calls that are in the log already: they keep the one they were made with. */
export type CallToJudge = { call: string; name: string; input: unknown; cause?: Cause }

export type JudgingScene = {
  dialog: string
  state: DialogState
  now: number
  /** Approvals of the same generation that are not in the store yet. */
  waiting: number
  /**
   * `approved`: a person has approved it, and it is looked at once more before it runs. `interrupted`: it was approved and may
   * have run, so a person is asked even if a rule allows it by now.
   */
  again?: 'approved' | 'interrupted'
}

/** Decides about every tool call before it is committed, and again before an approved one runs. */
export type Gatekeeper = {
  /** Null for a tool the agent does not have: running it only says so. */
  judge(agent: Agent, call: CallToJudge, scene: JudgingScene): Promise<Judged | null>
  /** True while an approval holds: the same tool, the same bytes, the same files. */
  stillHolds(agent: Agent, call: CallToJudge, approval: Approval): Promise<boolean>
}

export function gatekeeper({ policy, listGrants, openApprovals, approvedBefore, endGrants }: GateParts, ids: Ids): Gatekeeper {
  const computeInputHash = (input: unknown): string => sha256(canonicalJson(input))

  async function judge(...[agent, call, scene]: Parameters<Gatekeeper['judge']>): Promise<Judged | null> {
    const tool = treeToolNamed(call.name) ?? agent.tools.find(({ name }) => name === call.name)
    if (!tool) return null
    const { dialog, state, now, waiting, again } = scene
    const { language } = state
    const cause = call.cause ?? getCause(state)
    const checked = tool.check(call.input)
    const { gate } = tool
    // Also a tool of plain JavaScript, which no type keeps from having none.
    const declared = gate as Tool['gate'] | undefined
    const kind = ('input' in checked ? declared?.kindOf?.(checked.input) : undefined) ?? declared?.kind ?? null
    const facts = { agent: agent.name, tool: tool.name, kind, toolHash: kind === null ? '' : hashOfTool(tool), cause, dialog, now }
    const inputHash = computeInputHash(call.input)
    const record = (decision: Decision): GateRecord => ({
      decision: decision.decision,
      rules: decision.rules,
      because: becauseText(decision.because, language),
      toolHash: facts.toolHash,
      inputHash,
    })
    const refuse = (text: string): Judged => {
      const denied = decide(policy(), [], { ...facts, isInvalid: true, subjects: [], unsure: [], openApprovals: 0 })
      return { decision: 'deny', record: record(denied), text }
    }
    if ('fault' in checked) return refuse(dialogTexts[language].badArguments(checked.fault))
    if (kind === null) return refuse(dialogTexts[language].deniedByRule(becauseWords[language].because.noGate.replace(/[.。]$/, '')))
    const place = { dialog, agent: agent.name, language, role: cause.role }
    let extracted: Extraction
    try {
      const reading = gate.subjects?.(checked.input, place) ?? { subjects: [toolSubject(tool.name, checked.input)], unsure: [] }
      extracted = reading instanceof Promise ? await reading : reading
    } catch (error) {
      return refuse(failureText(error))
    }
    const { real, ...found } = extracted
    const path = real === undefined ? {} : { real }
    const judged: GateCall = {
      ...facts,
      ...found,
      openApprovals: 0,
      ...(gate.declared && { declared: gate.declared }),
      ...(gate.isSandboxed && { isSandboxed: true }),
      ...(gate.isIrreversible && { isIrreversible: true }),
    }
    let decision = decide(policy(), [], judged)
    let bound: Approval['bound'] = {}
    // Most calls need neither grants nor hashes of files: they are read only when a person would have to be asked.
    if (decision.decision === 'ask' || decision.because.why === 'locked' || again === 'interrupted') {
      try {
        bound = (await gate.bound?.(checked.input)) ?? {}
      } catch (error) {
        return refuse(failureText(error))
      }
      const isLimited = again === undefined && (!isAtLeast(cause.role, 'member') || cause.origin === 'schedule')
      const open = isLimited ? waiting + (await openApprovals(cause.by.map(({ id }) => id))) : 0
      const grants = await listGrants(agent.name)
      const outdated = grants.filter((grant) => grant.tool === tool.name && grant.toolHash !== facts.toolHash)
      if (outdated.length > 0) endGrants(outdated.map(({ grant }) => grant))
      decision = decide(policy(), grants, { ...judged, scripts: bound, openApprovals: open })
    }
    if (decision.decision === 'allow' && again !== 'interrupted') return { decision: 'allow', record: record(decision), ...path }
    if (decision.decision === 'deny') return { decision: 'deny', record: record(decision), text: denialText(decision, language) }
    let shown: ShownCall
    try {
      shown = withVisibleText(gate.show ? await gate.show(checked.input, place) : toJson(tool, checked.input))
    } catch (error) {
      return refuse(failureText(error))
    }
    const texts = gate.texts?.(checked.input) ?? []
    if (texts.length > 0) shown = { ...shown, texts }
    // An approver must see everything.
    if (shown.text.length > approvalLimits.shownChars) return refuse(dialogTexts[language].tooLarge(shown.text.length))
    const approval = getApproval(tool, decision, { record: record(decision), role: cause.role, shown, bound })
    const names = listApprovers({ cause, approvers: approval.approvers }, policy()).map(({ name }) => name)
    const repeated: Partial<Approval> =
      again === 'approved' ? { isChanged: true } : again === 'interrupted' ? { isInterrupted: true, onceOnly: true } : {}
    const offer: Partial<Approval> = (await offersWorkspace(judged, shown)) ? { offersWorkspace: true } : {}
    const asked = questionFor(agent.name, call.call, { ...approval, names, ...repeated, ...offer }, language)
    return { decision: 'ask', record: { ...record(decision), decision: 'ask' }, asked, ...path }
  }

  /** Against prompt fatigue: after some approvals of a kind that another preset would allow, the card offers that preset. */
  async function offersWorkspace(call: GateCall, { kind }: ShownCall): Promise<boolean> {
    if (policy().preset !== 'ask' || decide({ ...policy(), preset: 'workspace' }, [], call).decision !== 'allow') return false
    return approvedBefore(kind, approvalLimits.approvalsBeforeOffer)
  }

  function questionFor(agent: string, call: string, approval: Approval, language: Language): AskedQuestion {
    const { actions } = authorityWords[language]
    const standing = approval.onceOnly ? [] : (['chat', ...(approval.irreversible ? [] : (['always'] as const))] as const)
    const offered = approval.irreversible ? (['deny', 'once', ...standing] as const) : (['once', ...standing, 'deny'] as const)
    return {
      question: ids.next('q'),
      call,
      purpose: 'approval',
      expiresAt: null,
      approval,
      ask: {
        text: approvalTitle(agent, approval.shown, language),
        items: [{ id: approvalItem, text: '', kind: 'choice', options: offered.map((value) => ({ value, label: actions[value] })) }],
      },
    }
  }

  return {
    judge,
    async stillHolds(agent, call, approval) {
      const tool = agent.tools.find(({ name }) => name === call.name)
      if (!tool || hashOfTool(tool) !== approval.toolHash || computeInputHash(call.input) !== approval.inputHash) return false
      const checked = tool.check(call.input)
      if ('fault' in checked) return false
      try {
        const bound = (await tool.gate.bound?.(checked.input)) ?? {}
        return canonicalJson(bound) === canonicalJson(approval.bound)
      } catch {
        // A file that cannot be read any more is not the one that was approved.
        return false
      }
    },
  }
}

function getApproval(
  tool: Tool,
  decision: Decision,
  { record, role, shown, bound }: { record: GateRecord; role: Approval['role']; shown: ShownCall; bound: Approval['bound'] },
): Omit<Approval, 'names'> {
  const proposals = proposeScopes(decision).map(({ scopes }) => scopes.slice(0, approvalLimits.scopes))
  return {
    tool: tool.name,
    toolHash: record.toolHash,
    inputHash: record.inputHash,
    role,
    shown,
    because: record.because,
    reason: decision.because,
    subjects: decision.subjects.flatMap(({ subject, verdict }) => (verdict === 'ask' ? [subject] : [])),
    proposals,
    keys: decision.keys ?? 1,
    approvers: decision.approvers ?? [],
    // Without a scope to offer there is nothing a standing permission could say.
    onceOnly: decision.onceOnly === true || proposals.length === 0,
    irreversible: decision.irreversible === true,
    ...(decision.escalate && { escalate: decision.escalate }),
    bound,
  }
}

function denialText(decision: Decision, language: Language): string {
  const { because } = decision
  if (because.why === 'protected') return dialogTexts[language].isProtected(because.subject.replace(/^(?:read|write)\((.*)\)$/, '$1'))
  if (because.why === 'too-many-approvals') return dialogTexts[language].tooManyApprovals(because.limit)
  return dialogTexts[language].deniedByRule(becauseText(because, language).replace(/[.。]$/, ''))
}

const toJson = (tool: Tool, input: unknown): ShownCall => ({
  kind: 'tool',
  target: tool.name,
  server: tool.gate.server ?? '',
  text: JSON.stringify(JSON.parse(canonicalJson(input)), null, 2),
  facts: [],
})

/** Every character is written so that a person sees it. */
const withVisibleText = (shown: ShownCall): ShownCall => ({
  ...shown,
  target: withVisibleCharacters(shown.target),
  text: withVisibleCharacters(shown.text),
  facts: shown.facts.map((fact) => ({ ...fact, value: withVisibleCharacters(fact.value) })),
})
