// Removes declarations that no export of the package reaches: they were two thirds of all, and the largest files among them.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Files of the declarations that the exports of `package.json` reach through relative imports. */
export function reachableTypes(root, { exports }) {
  const reached = new Set()
  const pending = Object.values(exports).flatMap((file) => (file.endsWith('.js') ? [toDeclaration(resolve(root, file))] : []))
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (reached.has(file)) continue
    if (!existsSync(file)) throw new Error(`${file} is imported by a declaration and does not exist`)
    reached.add(file)
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*['"](\.[^'"]+)['"]/g))
      pending.push(toDeclaration(resolve(dirname(file), path)))
  }
  return reached
}

export function pruneTypes(root, manifest) {
  const reached = reachableTypes(root, manifest)
  if (reached.size === 0) throw new Error('no declaration is reached by an export')
  for (const entry of readdirSync(join(root, 'dist'), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && path.endsWith('.d.ts') && !reached.has(path)) rmSync(path)
  }
}

const toDeclaration = (path) => path.replace(/(\.d)?\.[jt]s$/, '.d.ts')
