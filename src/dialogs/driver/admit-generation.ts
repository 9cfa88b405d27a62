import type { Agent } from '../../ports/agent-runtime.ts'
import { markRunning } from '../../streams/running-mark.ts'
import type { DialogCommand } from '../rules/decide-dialog.ts'
import { runtimeAuthor } from '../rules/decide-question.ts'
import { isSameLimit, limitFailure, type LimitFacts } from '../rules/limit-facts.ts'
import { limitQuestion } from '../rules/limit-question.ts'
import { type Admitted, computePrice, estimateCost, findNotice, findSpent, hasBudget, type Reservation, reserveSums } from './budget.ts'
import { declaredTools } from './offered-tools.ts'
import type { TurnRun } from './turn-run.ts'

/**
 * Reserves the cost of the next generation in every budget that bounds it. Null when the turn is over: a budget is spent and
 * the owner was asked, or the claim was lost.
 *
 * | the budget                                   | what happens                                                |
 * |----------------------------------------------|-------------------------------------------------------------|
 * | has room                                     | reserved, and the generation is marked, in one commit       |
 * | has room once others have ended              | waits for them                                              |
 * | is spent to 80 %                             | the owner and the agent are told once; work continues       |
 * | has no room                                  | the owner is asked; the turn ends and the answer wakes it   |
 */
export async function admitGeneration(run: TurnRun, agent: Agent): Promise<Admitted | null> {
  const { dialog, parts, lease } = run
  const { spending } = agent
  if (!spending) return { allowance: null, worst: null }
  const teammates = parts.team.list().filter(({ name }) => name !== agent.name).length
  const worst = estimateCost(run.state, spending, declaredTools(run.state, agent, teammates))
  if (!hasBudget(spending)) return { allowance: null, worst }
  const cost = computePrice(worst, spending)
  const root = run.state.origin?.root ?? dialog
  for (;;) {
    const states = await parts.budgets.read({ root, agent: agent.name }, spending)
    const spent = findSpent(states, cost)
    if (spent) {
      await pauseAtLimit(run, spent, parts.budgets.renewsAt(spent))
      return null
    }
    const notice = findNotice(states)
    if (notice && !(await tellOnce(run, notice.facts, notice.percent))) return null
    const { sums, once } = reserveSums(states, cost)
    const reservation: Reservation = { ...cost, keys: sums.map(({ key }) => key) }
    const rows = markRunning(lease, { owner: parts.store.owner, at: run.now(), note: reservation, group: root })
    const reserved = await parts.dialogs.handle(dialog, [], {
      lease,
      rows,
      sums,
      ...(once === null ? {} : { once: { key: once, value: () => null } }),
    })
    if (reserved.ok) {
      run.reservation = reservation
      return { allowance: worst, worst }
    }
    if (reserved.why === 'over') await parts.budgets.waitForRelease(run.cut)
    // Another process has completed the sums of this tree meanwhile.
    else if (reserved.why !== 'seen') return null
  }
}

/** Ends the turn with a question to the owner, whose answer starts the next one. Where no owner is asked, the turn fails. */
export async function pauseAtLimit(run: TurnRun, limit: LimitFacts, expiresAt: number | null = null): Promise<void> {
  const { dialog, parts } = run
  const { agent, language, origin } = run.state
  if (!parts.budgets.canAsk(origin?.root ?? dialog)) {
    const { code, details } = limitFailure(limit)
    return run.fail(code, details)
  }
  const asked = {
    question: parts.ids.next('q'),
    call: null,
    ask: limitQuestion(language, agent, limit),
    expiresAt,
    purpose: 'limit' as const,
    limit,
  }
  const at = run.now()
  await run.write((state): DialogCommand[] => {
    const isAsked = Object.values(state.questions).some(({ purpose, limit: open }) => purpose === 'limit' && isSameLimit(open, limit))
    // The notice says that work continues, and a raise in answer to both would count twice.
    const notices = Object.values(state.questions).filter(({ purpose, limit: open }) => purpose === 'notice' && isSameLimit(open, limit))
    const withdraw = notices.map(({ question }): DialogCommand => ({ type: 'cancel-question', at, question, by: runtimeAuthor }))
    const ask: DialogCommand[] = isAsked ? withdraw : [...withdraw, { type: 'ask-question', at, asked }]
    // Everything that came so far counts as taken in: the answer is what starts the next turn, and that one reads it.
    return [...ask, { type: 'finish-turn', at, seen: state.seq + ask.length }]
  }, 'done')
  run.countFinished()
}

/** Tells the agent of this dialog, and the owner unless another dialog of the budget did. False when the claim was lost. */
async function tellOnce(run: TurnRun, facts: Extract<LimitFacts, { kind: 'budget' }>, percent: number): Promise<boolean> {
  const { dialog, parts, lease } = run
  const { key, limit } = facts
  const { agent, language, origin, budgetNotices } = run.state
  if (budgetNotices.includes(`${key} ${limit}`) || origin?.mode === 'reasoning') return true
  const at = run.now()
  const tell: DialogCommand = { type: 'notice-budget', at, key, limit, percent }
  const ask = limitQuestion(language, agent, facts, percent)
  const asked = { question: parts.ids.next('q'), call: null, ask, expiresAt: null, purpose: 'notice' as const, limit: facts }
  const once = { key: `budget notice ${key} ${limit}`, value: () => null }
  const withStart = (commands: DialogCommand[]) => (state: { turn: unknown }) =>
    state.turn === null ? [run.gate.start(), ...commands] : commands
  const canAsk = parts.budgets.canAsk(origin?.root ?? dialog)
  let result = await parts.dialogs.handle(dialog, withStart(canAsk ? [tell, { type: 'ask-question', at, asked }] : [tell]), { lease, once })
  if (!result.ok && result.why === 'seen') result = await parts.dialogs.handle(dialog, withStart([tell]), { lease })
  if (result.ok) run.state = result.state
  return result.ok
}
