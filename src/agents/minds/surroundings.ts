import { join } from 'node:path'
import type { TaskdocSection } from '../../ports/agent-runtime.ts'
import type { Language } from '../../shapes/language.ts'
import { agentTexts } from '../../words/index.ts'
import type { Memories } from '../memory/memory.ts'
import type { Taskdocs } from '../taskdoc/taskdoc.ts'
import type { TextFiles } from './text-files.ts'
import { withoutFrontMatter } from './read-mind.ts'

/** Texts that an agent reads besides its dialog. */
export type Surroundings = {
  teammates(agent: string): readonly { name: string; about: string }[]
  /** As people wrote it in `.minds`. */
  persona(agent: string, language: Language): string
  /** Knowledge, lessons and environment, likewise. */
  notes(agent: string, language: Language): readonly string[]
  memories(agent: string, language: Language): string | null
  taskdoc(path: string, language: Language): string | null
  sections(path: string): readonly TaskdocSection[]
}

/** A project without files: nothing but the team. */
export const noSurroundings = (team: () => readonly { name: string; about: string }[]): Surroundings => ({
  teammates: (agent) => team().filter(({ name }) => name !== agent),
  persona: () => '',
  notes: () => [],
  memories: () => null,
  taskdoc: () => null,
  sections: () => [],
})

const kinds = ['knowledge', 'lessons'] as const

export function surroundings(
  root: string,
  parts: { files: TextFiles; memories: Memories; taskdocs: Taskdocs; team(): readonly { name: string; about: string }[] },
): Surroundings {
  const minds = join(root, '.minds')
  /** The language's own file first. */
  const note = (path: string, language: Language): string => {
    const text = parts.files.first([`${minds}/${path}.${language}.md`, `${minds}/${path}.md`])
    return text === null ? '' : withoutFrontMatter(text).trim()
  }
  return {
    teammates: (agent) => parts.team().filter(({ name }) => name !== agent),
    persona: (agent, language) => note(`team/${agent}/persona`, language),
    notes(agent, language) {
      return [...kinds.map((kind) => note(`team/${agent}/${kind}`, language)), note('env', language)].filter((text) => text !== '')
    },
    memories: (agent, language) => parts.memories.inContext(agent, agentTexts[language].memories),
    taskdoc: (path, language) => parts.taskdocs.inContext(path, language),
    sections: (path) => parts.taskdocs.sections(path),
  }
}
