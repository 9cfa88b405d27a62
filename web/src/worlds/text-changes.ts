/** A line of a text that was edited. */
export type ChangedLine = { text: string; change: 'same' | 'added' | 'removed' }

/** Removed lines first, then the new text with the lines that are new in it. */
export function textChanges(before: string, after: string): ChangedLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const [known, kept] = [new Set(old), new Set(now)]
  return [
    ...old.filter((text) => !kept.has(text)).map((text): ChangedLine => ({ text, change: 'removed' })),
    ...now.map((text): ChangedLine => ({ text, change: known.has(text) ? 'same' : 'added' })),
  ]
}
