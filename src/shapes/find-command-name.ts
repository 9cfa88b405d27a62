/** `src/shapes` of a clone; the built package has another path, and never runs by `npm run parley`. */
const cloneFolder = import.meta.dirname.replace(/[\\/]src[\\/]shapes$/, '')

/**
 * The words that start this program where it was started: `parley` is on the PATH only after a global installation. npm names
 * the script it runs in `npm_lifecycle_event`, and the folder of the person in `INIT_CWD`.
 */
export function findCommandName(
  env: Readonly<Record<string, string | undefined>>,
  isClone: boolean = import.meta.filename.endsWith('.ts'),
  clone: string = cloneFolder,
): string {
  const script = env['npm_lifecycle_event']
  if (!isClone) return script === 'npx' ? 'npx parley-runtime' : 'parley'
  if (script !== 'parley' && script !== 'start') return 'parley'
  return nameInClone(clone, env['INIT_CWD'] ?? clone)
}

/** npm finds the scripts of a clone from its folders only; elsewhere it needs to be told where the clone is. */
function nameInClone(clone: string, folder: string): string {
  const isInside = folder === clone || folder.startsWith(`${clone}/`) || folder.startsWith(`${clone}\\`)
  return isInside ? 'npm run parley --' : `npm --prefix ${/[^\w./:\\-]/.test(clone) ? JSON.stringify(clone) : clone} run parley --`
}
