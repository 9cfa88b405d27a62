export const searchLimits = {
  chars: 200,
  words: 10,
  /** On one page, unless asked for otherwise. */
  hits: 20,
  /** Events that are read at once. */
  page: 50,
  /** Events that one page looks at, where the index proposed some that do not have the words. */
  looked: 1_000,
} as const
