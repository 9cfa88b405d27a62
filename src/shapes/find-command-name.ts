/**
 * The words that start this program where it was started: `parley` is on the PATH only after a global installation. npm names
 * the script it runs in `npm_lifecycle_event`.
 */
export function findCommandName(
  env: Readonly<Record<string, string | undefined>>,
  isClone: boolean = import.meta.filename.endsWith('.ts'),
): string {
  const script = env['npm_lifecycle_event']
  if (isClone) return script === 'parley' || script === 'start' ? 'npm run parley --' : 'parley'
  return script === 'npx' ? 'npx parley-runtime' : 'parley'
}
