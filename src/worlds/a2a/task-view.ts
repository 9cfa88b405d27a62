import { createHash } from 'node:crypto'
import type { Message, Task, TaskStatus } from '@a2a-js/sdk'
import type { HostDelivery, HostTurn, RequestView } from '../../ports/worlds.ts'
import type { EndReason } from '../rules/conversation-events.ts'

/** Numbers of the enums of A2A 1.0: this file is loaded before the SDK is. */
export const taskStates = { submitted: 1, working: 2, completed: 3, failed: 4, canceled: 5, inputRequired: 6, rejected: 7 } as const
export const roles = { user: 1, agent: 2 } as const

export type Picture = { view: RequestView; delivery: HostDelivery | null; turns: readonly HostTurn[] }

/** Names the extension. A UUID, because a name in a domain would belong to the owner of that domain. */
export const extensionUri = 'urn:uuid:af4a23fc-1711-516b-87b3-8e14b75e7cf6'

/** The name of the thread for outsiders: the conversation key has ids of accounts in it. */
export const contextId = (key: string): string => `ctx_${createHash('sha256').update(key).digest('hex').slice(0, 24)}`

const closedByPerson: readonly EndReason[] = ['owner_closed', 'owner_stopped_all', 'blocked', 'removed_from_world']

/** The state of a chat request as a task, for the guest who looks at it. */
export function readState({ view, delivery }: Picture): number {
  switch (view.status) {
    case 'pending':
      return view.direction === 'outbound' ? taskStates.submitted : taskStates.inputRequired
    case 'rejected':
    case 'blocked':
    case 'expired':
      return taskStates.rejected
    case 'withdrawn':
      return taskStates.canceled
    case 'accepted':
      break
  }
  if (view.end?.reason === 'kickoff_failed') return taskStates.failed
  if (view.end) return closedByPerson.includes(view.end.reason) ? taskStates.canceled : taskStates.completed
  if (delivery?.allowReply) return taskStates.inputRequired
  return view.chat === 'silent' ? taskStates.inputRequired : taskStates.working
}

export const isTerminal = (state: number): boolean =>
  state === taskStates.completed || state === taskStates.failed || state === taskStates.canceled || state === taskStates.rejected

function toMessage(
  { view }: Picture,
  turn: Pick<HostTurn, 'turnId' | 'text' | 'side' | 'signature' | 'hash' | 'turn' | 'previous'>,
): Message {
  const { turn: number, previous, hash, signature } = turn
  return {
    messageId: turn.turnId,
    taskId: view.request,
    contextId: contextId(view.key),
    role: turn.side === view.side ? roles.user : roles.agent,
    parts: [{ content: { $case: 'text', value: turn.text }, metadata: undefined, filename: '', mediaType: 'text/plain' }],
    metadata: { [extensionUri]: { turn: number, previous, hash, signature } },
    extensions: [],
    referenceTaskIds: [],
  }
}

/** The message of a status is the peer's text that waits for an answer; none when the peer kept silent or the guest opens. */
function readStatus(picture: Picture): TaskStatus {
  const { view, delivery, turns } = picture
  const current = delivery?.turns.at(-1)
  const turn = current && turns.find(({ turn: number }) => number === current.turn)
  return {
    state: readState(picture),
    message: turn ? toMessage(picture, turn) : undefined,
    timestamp: new Date(view.updatedAt).toISOString(),
  }
}

export function toTask(picture: Picture, historyLength: number): Task {
  const { view, turns } = picture
  const { displayName, agentCode } = view.counterparty
  return {
    id: view.request,
    contextId: contextId(view.key),
    status: readStatus(picture),
    artifacts: [],
    history: historyLength === 0 ? [] : turns.slice(-historyLength).map((turn) => toMessage(picture, turn)),
    metadata: {
      [extensionUri]: {
        direction: view.direction,
        peer: `${displayName}#${agentCode}`,
        purpose: view.purpose,
        nextAction: view.nextAction,
        reason: view.end?.reason ?? view.reason,
      },
    },
  }
}
