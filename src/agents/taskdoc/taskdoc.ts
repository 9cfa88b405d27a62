import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Cause, listCausers, mergeAuthors } from '../../authority/cause.ts'
import { type Author, lowestRole, roles } from '../../authority/roles.ts'
import { errorMessage } from '../../errors.ts'
import type { TaskdocFloor, TaskdocSection } from '../../ports/agent-runtime.ts'
import type { Clock } from '../../ports/clock.ts'
import { type SectionName, type ShownSection, type TaskDocuments, type TaskdocVersion } from '../../ports/task-documents.ts'
import type { Language } from '../../shapes/language.ts'
import { agentTexts } from '../../words/index.ts'
import { type Place, placeInside, plainPath } from '../workspace/inside.ts'
import { writeWhole } from '../workspace/write-whole.ts'
import type { TextFiles } from '../minds/text-files.ts'
import { findTaskdocs, isNewPath } from './find-taskdocs.ts'
import { bearInMind, bearInMindFolder, hashContent, mainSections, sectionFile, taskdocLimits } from './section.ts'
import { findLast, readVersions, readVersionText, recordVersion } from './versions.ts'

/** Task documents below a project's folder. One is a folder `*.tsk` that only these functions read and write. */
export type Taskdocs = TaskDocuments & {
  /** Text put before every generation; null when the document does not exist. */
  inContext(taskdoc: string, language: Language): string | null
  /** Sections that are part of `inContext`, as they are now. */
  sections(taskdoc: string): readonly TaskdocSection[]
  recall(taskdoc: string, category: string, selector: string): string
  /** The lowest role whose turn ever wrote here, and the people behind such turns; null when only owners wrote. */
  floor(taskdoc: string): TaskdocFloor | null
}

export function taskdocs(root: string, files: TextFiles, clock: Clock): Taskdocs {
  /** No link may lead a section to somewhere else. */
  const resolvePlace = (taskdoc: string, file: string): Place => {
    if (!/\.tsk\/?$/.test(taskdoc)) throw new Error('A task document is a folder whose name ends with ".tsk".')
    const folder = placeInside(root, plainPath(taskdoc))
    if (!folder.name.endsWith('.tsk')) throw new Error('The task document is a link to something that is none.')
    if (file === '') return folder
    const place = placeInside(root, `${folder.name}/${file}`)
    if (!place.name.startsWith(`${folder.name}/`)) throw new Error('A section may not be a link to a place outside of the task document.')
    return place
  }
  const read = (taskdoc: string, file: string): string | null => files.read(resolvePlace(taskdoc, file).path)
  const resolver =
    (taskdoc: string) =>
    (file: string): string =>
      resolvePlace(taskdoc, file).path

  return {
    list: () => findTaskdocs(root),
    create(taskdoc) {
      const { path, name } = resolvePlace(taskdoc, '')
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return false
      if (!isNewPath(name)) throw new Error('Names of new task documents and of their folders begin with a letter or digit.')
      if (statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() === false)
        throw new Error('A part of the path is a file, not a folder.')
      mkdirSync(path, { recursive: true })
      files.forget()
      return true
    },
    show(taskdoc) {
      const folder = resolvePlace(taskdoc, '').path
      const versions = readVersions(resolver(taskdoc))
      const names = files.names(folder, '.md').slice(0, taskdocLimits.sections)
      const others = names.map((name) => name.slice(0, -3)).filter((name) => isOtherSection(name))
      const sections: ShownSection[] = []
      let [chars, omitted] = [0, 0]
      for (const name of [...inlineSections, ...others]) {
        const shown = showSection(name, resolvePlace(taskdoc, `${name}.md`).path, versions)
        if (shown === null) continue
        chars += shown.text.length
        if (chars <= taskdocLimits.shownChars) sections.push(shown)
        else omitted += 1
      }
      return { sections, omitted }
    },
    versions(taskdoc, section) {
      const versions = readVersions(resolver(taskdoc)).toReversed()
      return section ? versions.filter((one) => one.category === section.category && one.selector === section.selector) : versions
    },
    readVersion: (taskdoc, version) => readVersionText(resolver(taskdoc), version),
    findFault(taskdoc) {
      try {
        const { path } = resolvePlace(taskdoc, '')
        return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? null : 'there is no such folder'
      } catch (error) {
        return errorMessage(error).replace(/\.$/, '')
      }
    },
    inContext(taskdoc, language) {
      let folder: string
      try {
        folder = resolvePlace(taskdoc, '').path
      } catch {
        return null
      }
      const names = files.names(folder, '.md').slice(0, taskdocLimits.sections)
      if (names.length === 0) return null
      const inPrompt = (name: string, level: string): string[] => {
        const text = names.includes(`${name}.md`) ? files.read(join(folder, `${name}.md`)) : null
        if (text === null || text.trim() === '') return []
        return [`${level} ${toTitle(name)} (hash ${hashContent(text)})\n\n${text.trim()}`]
      }
      const [goals, constraints, progress] = mainSections
      const remembered = bearInMind.flatMap((name) => inPrompt(`${bearInMindFolder}/${name}`, '###'))
      const others = names.map((name) => name.slice(0, -3)).filter((name) => isOtherSection(name))
      const texts = agentTexts[language].taskdoc
      const parts = [
        `# ${texts.title} ${taskdoc}`,
        ...inPrompt(goals, '##'),
        ...inPrompt(constraints, '##'),
        ...(remembered.length > 0 ? [`## ${texts.bearInMind}`, ...remembered] : []),
        ...inPrompt(progress, '##'),
        ...(others.length > 0 ? [`## ${texts.moreSections}\n\n${others.map((name) => `- ${name}`).join('\n')}`] : []),
      ]
      return capped(parts.join('\n\n'), texts.cut)
    },
    sections(taskdoc) {
      let folder: string
      try {
        folder = resolvePlace(taskdoc, '').path
      } catch {
        return []
      }
      return inlineSections.flatMap((name) => {
        const text = files.read(join(folder, `${name}.md`))
        return text === null ? [] : [{ name, hash: hashContent(text), text }]
      })
    },
    recall(taskdoc, category, selector) {
      const text = read(taskdoc, sectionFile(selector, category))
      if (text === null) throw new Error(`There is no section "${selector}" in "${category}".`)
      return text
    },
    change(taskdoc, { section, content, knownHash, cause, by }) {
      if (content.trim() === '') throw new Error('The content is empty. A section is replaced whole, so give all of it.')
      if (content.length > taskdocLimits.sectionChars)
        throw new Error(`The content has more than ${taskdocLimits.sectionChars} characters.`)
      const { path } = resolvePlace(taskdoc, sectionFile(section.selector, section.category))
      const text = content.toWellFormed()
      // Not from the cache: another process may have written a moment ago.
      const now = readCurrent(path)
      // The same again, as after a crash, is done already.
      if (now === text) return { hash: hashContent(text), isNew: false }
      const stale = describeStale(knownHash, now === null ? null : hashContent(now))
      if (stale !== null) return { stale }
      // First the role, then the text: a crash in between lowers a floor too early, never too late.
      if (cause.role !== 'owner') {
        const { path: record } = resolvePlace(taskdoc, floorFile)
        writeWhole(record, JSON.stringify(floorAfterChange(readFloor(record), cause, `${path}\n${text}`)))
      }
      const before = now === null ? null : { text: now, at: changedAt(path) }
      recordVersion(resolver(taskdoc), section, text, { at: clock.now(), by: { ...by, role: cause.role }, before })
      writeWhole(path, text)
      files.forget()
      return { hash: hashContent(text), isNew: true }
    },
    floor(taskdoc) {
      try {
        return readFloor(resolvePlace(taskdoc, floorFile).path)
      } catch {
        // A path that cannot be a task document has no text.
        return null
      }
    },
  }
}

/** Given for a section that does not exist. */
const noHash = 'none'

function describeStale(knownHash: string | null, hash: string | null): string | null {
  if (knownHash === null || knownHash === (hash ?? noHash)) return null
  return hash === null
    ? `Nothing was changed: the section does not exist yet, so its hash is "${noHash}", not "${knownHash.slice(0, 40)}".`
    : `Nothing was changed: the section has changed since you read it. Its hash is now ${hash}. Read it again, then change it with that hash.`
}

const isMain = (name: string): boolean => (mainSections as readonly string[]).includes(name)

/** A section of a category of its own. */
const isOtherSection = (name: string): boolean => /^[^/]+\/[^/]+$/.test(name) && !name.startsWith('.') && !inlineSections.includes(name)

function toSectionName(name: string): SectionName {
  const [first = '', second] = name.split('/')
  return second === undefined ? { category: null, selector: first } : { category: first, selector: second }
}

function showSection(name: string, path: string, versions: readonly TaskdocVersion[]): ShownSection | null {
  const section = toSectionName(name)
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat?.isFile()) return isMain(name) ? { ...section, text: '', hash: noHash, changed: null } : null
  // Nothing so long was written by Parley; it is changed where it was written.
  if (stat.size > taskdocLimits.sectionChars * 4) return { ...section, text: '', hash: '', changed: { at: changedAt(path), by: null } }
  const text = readCurrent(path) ?? ''
  const hash = hashContent(text)
  const last = findLast(versions, section)
  return { ...section, text, hash, changed: last?.hash === hash ? { at: last.at, by: last.by } : { at: changedAt(path), by: null } }
}

const changedAt = (path: string): number => Math.round(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)

const inlineSections: readonly string[] = [...mainSections, ...bearInMind.map((name) => `${bearInMindFolder}/${name}`)]

/**
 * The role is kept for the document as a whole: sections are read together, and an agent moves text between them. No turn can
 * raise it, because every turn that could rewrite the document has read it. An owner trusts the dialog, or deletes this file.
 */
const floorFile = '.floor.json'

/** Each change is named after the one before it, so that no later state of the document gets the name of an earlier one. */
const floorAfterChange = (before: TaskdocFloor | null, cause: Cause, written: string): TaskdocFloor => ({
  role: lowestRole(before?.role ?? cause.role, cause.role),
  change: hashContent(`${before?.change ?? ''}\n${written}`),
  writers: mergeAuthors([...(before?.writers ?? []), ...listCausers(cause)]),
})

/** Not from the cache: the text of a section may be younger than the cached role. A damaged record counts as one of a guest. */
function readFloor(path: string): TaskdocFloor | null {
  const text = readCurrent(path)
  if (text === null) return null
  try {
    const { role, change, writers } = JSON.parse(text) as Partial<TaskdocFloor>
    // Documents of earlier versions name no writers.
    if (role && roles.includes(role) && typeof change === 'string') return { role, change, writers: (writers ?? []).filter(isAuthor) }
  } catch {}
  return { role: 'guest', change: hashContent(text), writers: [] }
}

const isAuthor = ({ id, name, role }: Author): boolean => typeof id === 'string' && typeof name === 'string' && roles.includes(role)

function readCurrent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

const toTitle = (name: string): string => {
  const last = name.split('/').at(-1) ?? name
  return `${last.slice(0, 1).toUpperCase()}${last.slice(1)}`
}

function capped(text: string, note: (bytes: number) => string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= taskdocLimits.inlineBytes) return text
  const excess = bytes.length - taskdocLimits.inlineBytes
  const cut = bytes.toString('utf8', 0, taskdocLimits.inlineBytes).replace(/\ufffd$/, '')
  return `${cut}

${note(excess)}`
}
