import type { Policy } from '../../authority/policy.ts'
import { ParleyError } from '../../errors.ts'
import type { Loaded } from '../config/load.ts'
import { readPolicy } from '../config/load-policy.ts'
import { type Problem, problemInWords } from '../config/problem.ts'
import type { Settings } from './settings.ts'

/** The policy of parley.yaml as it was read last without a mistake. */
export type LivePolicy = {
  current(): Policy
  problems(): readonly Problem[]
  /** Calls `listen` after each change. */
  onChange(listen: () => void): void
  /** Reads changed files one after the other, so that the newest counts. */
  read(changed: Loaded): Promise<void>
}

/** A policy with a mistake stops the start: without it, or with a part of it, agents could do more than was written. */
export async function livePolicy({ file, initial }: Settings): Promise<LivePolicy> {
  const first = await readPolicy(initial, file)
  if ('problems' in first) {
    const [problem] = first.problems
    throw new ParleyError('policy_invalid', { count: first.problems.length, first: problem ? problemInWords(problem) : file })
  }
  let { policy } = first
  let problems: readonly Problem[] = []
  let lastRead: Promise<void> = Promise.resolve()
  const listeners: (() => void)[] = []

  /** A policy with a mistake never replaces one without. */
  async function readOne(changed: Loaded): Promise<void> {
    const read = await readPolicy(changed, file)
    if ('problems' in read) {
      const why = 'the policy before this change stays in force'
      const stays: Problem = { kind: 'unusable', file, path: 'policy', why, line: null }
      problems = [...read.problems.filter((problem) => !changed.problems.includes(problem)), stays]
      return
    }
    problems = []
    policy = read.policy
    for (const listen of listeners) listen()
  }

  return {
    current: () => policy,
    problems: () => problems,
    onChange(listen) {
      listeners.push(listen)
    },
    read(changed) {
      lastRead = lastRead.then(() => readOne(changed))
      return lastRead
    },
  }
}
