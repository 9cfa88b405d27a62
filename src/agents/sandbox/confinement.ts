import { relative } from 'node:path'
import type { Layout } from '../../authority/subjects/protected-paths.ts'
import type { MemberConfig } from '../../app/config/schema.ts'
import { type DirectoryRules, directoryRules, type DirectorySettings } from '../workspace/directory-rules.ts'
import { isInside } from '../workspace/is-inside.ts'
import type { Confinement } from './launcher.ts'

type Granted = Pick<MemberConfig, 'hosts' | 'env'>

/** Of a member's shell: the project, written where the member's file tools may write. */
export const toConfinement = (path: string, rules: DirectoryRules, { hosts = [], env = [] }: Granted): Confinement => ({
  folders: [{ path, rules }],
  hosts,
  env,
})

/** Of a member that is a program: the project is read, its own folder is written. `cwd` is a real path. */
export function programConfinement(
  cwd: string,
  { noReadDirs, noWriteDirs, ...granted }: DirectorySettings & Granted,
  layout: Layout,
): Confinement {
  const { root } = layout
  const shut = { ...(noReadDirs && { noReadDirs }), ...(noWriteDirs && { noWriteDirs }) }
  if (isInside(root, cwd)) {
    const own = relative(root, cwd)
    return toConfinement(root, directoryRules(root, { ...shut, writeDirs: [own === '' ? '**' : own] }, layout), granted)
  }
  const project = { path: root, rules: directoryRules(root, shut, layout) }
  const folder = { path: cwd, rules: directoryRules(cwd, { writeDirs: ['**'] }, { ...layout, root: cwd }) }
  return { ...toConfinement(root, project.rules, granted), folders: [project, folder] }
}

/** Of an MCP server: it reads the project and its own folder, and writes and reaches what is named for it. */
export function serverConfinement(
  cwd: string,
  { writeDirs, hosts = [] }: Pick<MemberConfig, 'writeDirs' | 'hosts'>,
  layout: Layout,
): Confinement {
  const { root } = layout
  const project = { path: root, rules: directoryRules(root, { ...(writeDirs && { writeDirs }) }, layout) }
  const own = { path: cwd, rules: directoryRules(cwd, {}, { ...layout, root: cwd }) }
  return { folders: isInside(root, cwd) ? [project] : [project, own], hosts, env: [] }
}
