import type { ParleyClient } from '../client/index.ts'
import { oneLine } from './plain-text.ts'
import type { Terminal } from './terminal.ts'

/** The emergency stop in one line, with the command that lifts it. */
export function allStoppedLine({ words, language, errPaint }: Terminal, { by, at }: { by: string; at: number }): string {
  const since = new Date(at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })
  const who = by === 'owner' ? words.theOwner : oneLine(by)
  return `${errPaint.yellow('■')} ${words.allStopped(who, since)} ${words.resumeAllWith(errPaint.cyan('parley dialogs continue --all'))}`
}

/** Warns where a list would otherwise look as if agents were working. */
export async function warnIfAllStopped(terminal: Terminal, client: ParleyClient): Promise<void> {
  if (terminal.json) return
  const { emergency } = await client.info()
  if (emergency) terminal.warn(allStoppedLine(terminal, emergency))
}
