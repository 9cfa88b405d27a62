/** A question on which people vote. It is a message of its own, because no platform shows one beside words or buttons. */
export type Poll = {
  question: string
  options: readonly string[]
  /** A person may choose several options. */
  isMultiple?: boolean
  /** Unset: as the platform usually does. */
  isAnonymous?: boolean
  /** Unset: as the platform usually does. */
  openForMs?: number
}

export const pollLimits = {
  fewestOptions: 2,
  mostOptions: 12,
  questionChars: 300,
  optionChars: 300,
  longestMs: 32 * 24 * 3_600_000,
} as const
