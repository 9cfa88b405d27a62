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

function hardLinks(real: string): number {
  const found = statSync(real, { throwIfNoEntry: false })
  return found?.isFile() ? found.nlink : 0
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
      let real: string
      try {
        real = rules.enter(path, access, language).path
      } catch (error) {
        const found = fileSubjects(use, rules.layout, diskFacts)
        // A protected path is denied by the gate itself. Any other path that is closed to the agent is no question for a person.
        if (isProtected(found, access)) return found
        throw error
      }
      return fileSubjects(use, rules.layout, () => ({ real, hardLinks: access === 'write' ? hardLinks(real) : 1 }))
    },
  }
}

const isProtected = ({ subjects }: Extraction, access: Access): boolean =>
  subjects.some(
    (subject) =>
      (subject.kind === 'read' || subject.kind === 'write') &&
      (access === 'write' ? subject.protection !== undefined : subject.protection === 'hidden'),
  )
