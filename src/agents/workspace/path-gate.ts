import { statSync } from 'node:fs'
import type { LookUp, PathUse } from '../../authority/subjects/paths.ts'
import { type Extraction, fileSubjects } from '../../authority/subjects/tool-subjects.ts'
import type { ToolGate } from '../../ports/tool-gate.ts'
import type { Access, DirectoryRules } from './directory-rules.ts'
import { realPath } from './inside.ts'

/** The disk as the gate sees it: where a path really leads, and whether a file has a second name. */
export const diskFacts: LookUp = (absolute) => {
  try {
    const real = realPath(absolute)
    return { real, hardLinks: hardLinks(real) }
  } catch {
    return { real: null, hardLinks: 0 }
  }
}

/** For reading, where a second name of the file does not matter. */
const pathFacts: LookUp = (absolute) => {
  try {
    return { real: realPath(absolute), hardLinks: 1 }
  } catch {
    return { real: null, hardLinks: 1 }
  }
}

function hardLinks(real: string): number {
  const reached = statSync(real, { throwIfNoEntry: false })
  return reached?.isFile() ? reached.nlink : 0
}

/** The gate of a tool that reads or writes one path of its input. */
export function pathGate(
  rules: DirectoryRules,
  access: Access,
  more: Omit<ToolGate, 'kind' | 'subjects'> & { isRecursive?: true } = {},
): ToolGate {
  const { isRecursive, ...rest } = more
  return {
    ...rest,
    kind: access,
    subjects(input, { language }) {
      const { path } = input as { path: string }
      const use: PathUse = {
        access,
        path,
        ...(isRecursive && { isRecursive }),
        ...(access === 'write' && { isInWriteDirs: (name: string) => rules.allows(name, 'write') }),
      }
      const reached = fileSubjects(use, rules.layout, access === 'write' ? diskFacts : pathFacts)
      // A protected path is denied by the gate itself. Any other path that is closed to the agent is no question for a person.
      if (!isProtected(reached, access) && !isOpen(path, reached, rules, access)) rules.enter(path, access, language)
      return reached
    },
  }
}

/** `enter` would look at the disk once more, so it is called only for paths that may be closed. */
const isOpen = (path: string, { subjects: [subject] }: Extraction, rules: DirectoryRules, access: Access): boolean =>
  isPlain(path) &&
  (subject?.kind === 'read' || subject?.kind === 'write') &&
  subject.names.every(({ inside }) => inside !== null && rules.allows(inside, access))

/** Without anything that `enter` refuses or brings into another form. */
const isPlain = (path: string): boolean => /^[\w-][\w-.]*(?:\/[\w-][\w-.]*)*$/.test(path) && !/\.(?:\/|$)/.test(path)

const isProtected = ({ subjects }: Extraction, access: Access): boolean =>
  subjects.some(
    (subject) =>
      (subject.kind === 'read' || subject.kind === 'write') &&
      (access === 'write' ? subject.protection !== undefined : subject.protection === 'hidden'),
  )
