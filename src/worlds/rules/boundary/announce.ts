export const announceSkip = 'ANNOUNCE_SKIP'

/** Whether the main agent tells the owner about a report. `default` is read as required. */
export type Announce = 'required' | 'skip' | 'default'

/** True if the whole output is the token; then the main agent tells the owner nothing. */
export const isAnnounceSkip = (output: string): boolean => output.trim() === announceSkip

/** True if the main agent is woken for a report at all. */
export const isAnnounced = (announce: Announce): boolean => announce !== 'skip'

/**
 * Words of the main agent about a report. A required announcement cannot be skipped by the token: the report itself is shown.
 * The token inside other text is never shown to a person.
 */
export function readAnnouncement(
  output: string,
  announce: Announce,
): { kind: 'say'; text: string } | { kind: 'skip' } | { kind: 'report' } {
  const text = output
    .split('\n')
    .filter((line) => line.trim() !== announceSkip)
    .join('\n')
    .replaceAll(announceSkip, '')
    .trim()
  if (text !== '') return { kind: 'say', text }
  return isAnnounceSkip(output) && announce !== 'required' ? { kind: 'skip' } : { kind: 'report' }
}
