/** A hint with the command that does here what the Continue button does on the page. */
export function terminalHint(hint: string, command: string): string {
  const typed = hint.replace(/\b([Pp])ress Continue\b/g, (_, initial: string) => `${initial === 'P' ? 'Run' : 'run'} ${command}`)
  // A full stop right after a command would be copied with it.
  return typed.endsWith(`${command}.`) ? typed.slice(0, -1) : typed
}
