import type { Closure } from './control-record.ts'

/** Effect of the choice on each part of a host. Schedules that a person asked for are not proactive: they still fire. */
export type EndPolicy = {
  followUp: 'default' | 'encouraged' | 'suppressed'
  proactive: 'default' | 'allowed' | 'suppressed'
  retention: 'default' | 'keep' | 'may-archive'
  /** One line for the next prompt, or nothing. */
  promptLine: string | null
  isReplyClosed: boolean
}

export const endPolicies: Record<Closure['state'], EndPolicy> = {
  open: { followUp: 'default', proactive: 'default', retention: 'default', promptLine: null, isReplyClosed: false },
  continue: {
    followUp: 'encouraged',
    proactive: 'allowed',
    retention: 'keep',
    promptLine: 'The user asked to continue.',
    isReplyClosed: false,
  },
  closed: {
    followUp: 'suppressed',
    proactive: 'suppressed',
    retention: 'may-archive',
    promptLine: 'The user closed the previous reply; answer only what is asked.',
    isReplyClosed: true,
  },
}

/** For the turn that starts: what it is told, and whether it may end with a question or suggestion of its own. */
export type TurnPolicy = EndPolicy & { closure: Closure; followUpsAllowed: boolean }

export function turnPolicy(closure: Closure): TurnPolicy {
  const policy = endPolicies[closure.state]
  const lines = [policy.promptLine, closure.note].filter((line) => line !== null && line !== undefined && line !== '')
  return { ...policy, promptLine: lines.length > 0 ? lines.join(' ') : null, closure, followUpsAllowed: policy.followUp !== 'suppressed' }
}
