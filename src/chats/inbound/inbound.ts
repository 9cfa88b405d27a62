import { randomInt } from 'node:crypto'
import { approvalAnswers } from './approval-answers.ts'
import type { ApprovalCopies } from '../announce/approval-copies.ts'
import type { InboundParts } from './inbound-parts.ts'
import { pendingMessages } from './pending-messages.ts'
import { type Receive, receiver } from './receive.ts'
import { tapVerdicts } from './tap-verdicts.ts'
import { pendingTaps } from './taps.ts'

/** Receives from chat apps: everything is stored first and handled afterwards. */
export type InboundSide = {
  readonly receive: Receive
  start(): void
  stop(graceMs: number): Promise<void>
}

export function inboundSide(
  given: Omit<InboundParts, 'approvals' | 'newCode'> & { approvalCopies: ApprovalCopies; newCode?: () => string },
): InboundSide {
  const { store, parley, outbox, approvalCopies: copies } = given
  const verdicts = tapVerdicts(given.clock)
  const parts: InboundParts = { newCode: randomCode, ...given, approvals: approvalAnswers({ store, parley, outbox, copies }) }
  const messages = pendingMessages(parts)
  const taps = pendingTaps({ ...parts, verdicts })
  return {
    receive: receiver({ ...parts, verdicts }),
    start() {
      messages.start()
      taps.start()
    },
    async stop(graceMs) {
      await Promise.all([messages.stop(graceMs), taps.stop(graceMs)])
    },
  }
}

const randomCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')
