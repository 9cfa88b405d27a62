import { type Layout, protectionInside } from '../../authority/subjects/protected-paths.ts'
import type { Protection } from '../../authority/subjects/subject.ts'
import type { MemberConfig } from '../../app/config/schema.ts'
import { type Glob, globPattern } from './glob.ts'
import { type Place, placeFrom, placeInside, plainPath } from './inside.ts'
import type { Language } from '../../shapes/language.ts'
import { dialogTexts } from '../../words/index.ts'
import { ToolRefusal } from '../../ports/tool-refusal.ts'

export type Access = 'read' | 'write'

export type DirectorySettings = Pick<MemberConfig, 'readDirs' | 'writeDirs' | 'noReadDirs' | 'noWriteDirs'>

/** Where a member's file tools may go. */
export type DirectoryRules = {
  readonly root: string
  /** The project these rules are about, as the gate knows it. */
  readonly layout: Layout
  /** Resolves the path and checks it. Throws in words a model can act on. With `judged` it must lead to that real path. */
  enter(given: string, access: Access, language?: Language, judged?: string): Place
  /**
   * The place that the gate has judged, checked by its names only: the disk is not asked again. For tools that open the place
   * without following a link and then make sure that it is still there.
   */
  judgedPlace(given: string, judged: string | undefined, language?: Language): Place
  /** A folder to work in: readDirs do not bind programs, but what is protected or closed stays so. */
  folder(given: string, language?: Language): string
  /** The same question about a place that is known to be below the root and no link. */
  isOpen(name: string, access: Access): boolean
  protection(name: string): Protection | null
  /** True when this agent's own settings allow `access` to the name, protected or not. */
  allows(name: string, access: Access): boolean
  /** True when this agent's own settings close the name for reading. */
  isShut(name: string): boolean
  /** False when the agent may not change any file. */
  readonly hasWritable: boolean
  /** The paths that are protected by themselves, not by the pattern of their name. */
  readonly protectedPaths: readonly string[]
  /** Those of them that are hidden. */
  readonly hiddenPaths: readonly string[]
}

export function directoryRules(root: string, member: DirectorySettings, layout: Layout): DirectoryRules {
  const open = { read: member.readDirs ?? ['**'], write: member.writeDirs ?? [] }
  const shut = { read: member.noReadDirs ?? [], write: [...(member.noWriteDirs ?? []), ...(member.noReadDirs ?? [])] }
  const compiled = {
    read: { open: open.read.map(below), shut: shut.read.map(below) },
    write: { open: open.write.map(below), shut: shut.write.map(below) },
  }
  const protection = (name: string): Protection | null => protectionInside(name, layout)
  const isProtected = (name: string, access: Access): boolean =>
    access === 'read' ? protection(name) === 'hidden' : protection(name) !== null

  const isShut = (name: string): boolean => compiled.read.shut.some((glob) => glob.test(name))

  const whyClosed = (name: string, access: Access): string | null => {
    const rules = compiled[access]
    if (rules.shut.some((glob) => glob.test(name))) return 'the settings of this agent close it'
    if (rules.open.some((glob) => glob.test(name))) return null
    return open[access].length === 0
      ? 'this agent may not change any file (writeDirs is not set)'
      : `this agent may only ${access === 'read' ? 'read' : 'change'} ${open[access].slice(0, 8).join(', ')}`
  }
  const check = (given: string, access: Access, language: Language = 'en', resolve: () => Place): Place => {
    const requested = plainPath(given)
    // Both names count: a link must neither hide a closed place nor be a way around a closed name.
    if (isProtected(requested, access)) throw refusal(requested, language)
    const before = whyClosed(requested, access)
    if (before !== null) throw new Error(`"${requested || '.'}" is closed: ${before}.`)
    const place = resolve()
    if (isProtected(place.name, access)) throw refusal(requested, language)
    const why = place.name === requested ? null : whyClosed(place.name, access)
    if (why !== null) throw new Error(`"${requested || '.'}" leads to a place that is closed: ${why}.`)
    return place
  }

  return {
    root,
    layout,
    enter(given, access, language, judged) {
      const place = check(given, access, language, () => placeInside(root, given))
      if (judged !== undefined && place.path !== judged)
        throw new Error(`"${plainPath(given) || '.'}" leads to another place than before. Try again.`)
      return place
    },
    judgedPlace: (given, judged, language) =>
      check(given, 'read', language, () => (judged === undefined ? placeInside(root, given) : placeFrom(layout.root, judged, given))),
    folder(given, language = 'en') {
      const place = placeInside(root, given)
      if (isProtected(place.name, 'read') || isShut(place.name)) throw refusal(plainPath(given), language)
      return place.path
    },
    isOpen: (name, access) => !isProtected(name, access) && whyClosed(name, access) === null,
    protection,
    allows: (name, access) => whyClosed(name, access) === null,
    isShut,
    hasWritable: open.write.length > 0,
    protectedPaths: [...layout.hidden, ...layout.fixed],
    hiddenPaths: layout.hidden,
  }
}

const refusal = (path: string, language: Language): ToolRefusal => new ToolRefusal(dialogTexts[language].isProtected(path))

const everything: Glob = { test: () => true }

const below = (glob: string): Glob => (glob === '**' ? everything : globPattern(glob, { andBelow: true }))
