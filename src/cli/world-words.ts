import type { OperationResult } from '../client/call.ts'
import type { TerminalWords } from '../words/en/terminal.ts'
import { age } from './age.ts'
import { columns } from './columns.ts'
import { commandName } from './command-name.ts'
import { labelled } from './labelled.ts'
import { oneLine } from './plain-text.ts'
import type { Paint, Terminal } from './terminal.ts'

export type ChatRequest = OperationResult<'chatRequests.get'>
/** With the own agent it is for. */
export type ListedRequest = ChatRequest & { account: string }
export type WorldsAccount = OperationResult<'account.change'>

export const describeIdentity = ({ displayName, agentCode }: { displayName: string | null; agentCode: string }): string =>
  oneLine(`${displayName ?? ''}#${agentCode}`)

/** One line of an account, one of what it has spent today, and one each for muted worlds and where it is stopped. */
export function accountLines({ name, account, budget, stopped }: WorldsAccount, { words, paint }: Terminal): string[] {
  const { worlds } = words
  const muted = account.policy.blocks.worldIds
  const facts = [describeIdentity(account.identity), worlds.readiness[account.readiness], account.policy.mode]
  return [
    `${paint.bold(oneLine(name))}  ${facts.join(' · ')}`,
    `  ${paint.dim(worlds.budget(String(budget.spent.tokens), String(budget.tokens), budget.spent.money.toFixed(2), budget.money.toFixed(2)))}`,
    ...budget.worlds.map(
      ({ world, tokens, money, spent }) =>
        `  ${paint.dim(`${world}: ${worlds.budget(String(spent.tokens), String(tokens), spent.money.toFixed(2), money.toFixed(2))}`)}`,
    ),
    ...(muted.length > 0 ? [`  ${paint.dim(worlds.muted(muted.join(', ')))}`] : []),
    ...(stopped ? [`  ${paint.red(worlds.stopped(oneLine(stopped.by)))}`] : []),
  ]
}

export function requestTable(items: readonly ListedRequest[], { words, paint, width }: Terminal): string[] {
  return columns(
    items.map((one) => [
      { text: one.request, paint: paint.bold },
      oneLine(one.account),
      describeIdentity(one.counterparty),
      one.chat ? words.worlds.chat[one.chat] : words.worlds.status[one.status],
      oneLine(one.world?.displayName ?? ''),
      oneLine(one.purpose ?? one.reason),
    ]),
    width,
  )
}

/** A request that waits for the owner, with the commands that decide. */
export function chatRequestLines(one: ListedRequest, words: TerminalWords, paint: Paint): string[] {
  const { worlds } = words
  const command = (verb: string): string => `${commandName} requests ${verb} ${one.request} --account ${one.account}`
  const from = [oneLine(one.account), ...(one.world ? [oneLine(one.world.displayName)] : []), age(one.createdAt, words)].join(' · ')
  return [
    `${paint.bold(worlds.wants(describeIdentity(one.counterparty)))}  ${paint.dim(from)}`,
    ...(one.purpose === null ? [] : [`  ${oneLine(one.purpose)}`]),
    `  ${paint.dim(worlds.because[one.verdict.because])}`,
    `  ${labelled(words.messages.acceptWith, paint.cyan(command('accept')))}`,
    `  ${labelled(words.orDecline, paint.dim(command('decline')))}`,
    `  ${labelled(words.messages.orBlock, paint.dim(command('block')))}`,
  ]
}

/** The id of a chat request, and not the code of a person who wants to write. */
export const isChatRequest = (typed: string): boolean => typed.startsWith('crq_')
