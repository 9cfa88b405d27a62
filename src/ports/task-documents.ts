import type { Cause } from '../authority/cause.ts'
import type { Role } from '../authority/roles.ts'

/** Without a category: goals, constraints and progress. */
export type SectionName = { category: string | null; selector: string }

/** The author of a version. `role` is that of the lowest text behind it. */
export type TaskdocWriter = { kind: 'human' | 'agent'; name: string; role: Role }

/** Null where a section was written outside of Parley, such as by an editor. */
export type TaskdocChange = { at: number; by: TaskdocWriter | null }

export type ShownSection = SectionName & { text: string; hash: string; changed: TaskdocChange | null }

/** A stored version of a section. `version` names it within its document. */
export type TaskdocVersion = SectionName & TaskdocChange & { version: string; hash: string; chars: number }

/** A change of a section by a person or an agent. */
export type SectionChange = {
  section: SectionName
  content: string
  /** The hash of the text the writer has read, `none` where there was none; null when the writer names none. */
  knownHash: string | null
  /** Of the writing turn or request: the text counts with its role. */
  cause: Cause
  by: Omit<TaskdocWriter, 'role'>
}

/** Task documents of one project, as people see and change them. */
export type TaskDocuments = {
  /** Why this path is no task document, as the end of a sentence; null when it is one. */
  findFault(taskdoc: string): string | null
  /** Paths below the project, sorted; a bounded number. */
  list(): readonly string[]
  /** Makes an empty one. False: it was there already. Throws in words when there can be none at this path. */
  create(taskdoc: string): boolean
  /**
   * Its sections in the order in which they are read. Those of every document come first, also while they are empty. `omitted`:
   * how many further sections are too long to be shown.
   */
  show(taskdoc: string): { sections: readonly ShownSection[]; omitted: number }
  /** Replaces one whole section. `stale` says in words that it is not what the writer has read; nothing was changed then. */
  change(taskdoc: string, change: SectionChange): { hash: string; isNew: boolean } | { stale: string }
  /** The latest first; of one section, or of all. */
  versions(taskdoc: string, section?: SectionName): readonly TaskdocVersion[]
  /** Null when it is not stored, or no longer. */
  readVersion(taskdoc: string, version: string): string | null
}
