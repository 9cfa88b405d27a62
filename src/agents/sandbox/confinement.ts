import { relative } from 'node:path'
import type { MemberConfig } from '../../config/schema.ts'
import { type DirectoryRules, directoryRules, type DirectorySettings } from '../workspace/directory-rules.ts'
import { isInside, type ProtectedPaths } from '../workspace/protected-paths.ts'
import type { Confinement } from './launcher.ts'

type Granted = Pick<MemberConfig, 'hosts' | 'env'>

/** Of a member's shell: the project, written where the member's file tools may write. */
export const confinementOf = (path: string, rules: DirectoryRules, { hosts = [], env = [] }: Granted): Confinement => ({
  folders: [{ path, rules }],
  hosts,
  env,
})

/** Of a member that is a program: the project is read, its own folder is written. `cwd` is a real path. */
export function programConfinement(
  cwd: string,
  { noReadDirs, noWriteDirs, ...granted }: DirectorySettings & Granted,
  protectedPaths: ProtectedPaths,
): Confinement {
  const { root } = protectedPaths
  const shut = { ...(noReadDirs && { noReadDirs }), ...(noWriteDirs && { noWriteDirs }) }
  if (isInside(root, cwd)) {
    const own = relative(root, cwd)
    return confinementOf(root, directoryRules(root, { ...shut, writeDirs: [own === '' ? '**' : own] }, protectedPaths), granted)
  }
  const project = { path: root, rules: directoryRules(root, shut, protectedPaths) }
  const folder = { path: cwd, rules: directoryRules(cwd, { writeDirs: ['**'] }, { ...protectedPaths, root: cwd }) }
  return { ...confinementOf(root, project.rules, granted), folders: [project, folder] }
}
