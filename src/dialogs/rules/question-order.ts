/** Newest first; questions of one moment, such as the approvals of one turn, in the order they were asked. */
export const newestFirst = (a: { askedAt: number; id: string }, b: { askedAt: number; id: string }): number =>
  b.askedAt - a.askedAt || (a.id < b.id ? -1 : 1)
