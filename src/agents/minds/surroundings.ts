import { join } from 'node:path'
import type { Language } from '../../dialog/events.ts'
import type { Memories, MemoryWords } from '../memory/memory.ts'
import type { Taskdocs } from '../taskdoc/taskdoc.ts'
import type { TextFiles } from './text-files.ts'
import { withoutFrontMatter } from './mind-of.ts'

/** What an agent knows besides its dialog. */
export type Surroundings = {
  teammates(agent: string): readonly { name: string; about: string }[]
  /** Who it is, what it knows and has learned, and where it works, as people wrote it down in `.minds`. */
  notes(agent: string, language: Language): readonly string[]
  memories(agent: string, language: Language): string | null
  taskdoc(path: string, language: Language): string | null
}

const words: Record<Language, MemoryWords> = {
  en: {
    team: 'What the team remembers',
    own: 'What you remember',
    leftOut: (count) => `${count} more memories were left out: there is no room for them. Drop or shorten some.`,
  },
  zh: { team: '团队记忆', own: '你的记忆', leftOut: (count) => `还有 ${count} 条记忆因篇幅所限未显示。请删除或精简。` },
}

const kinds = ['persona', 'knowledge', 'lessons'] as const

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
    notes(agent, language) {
      return [...kinds.map((kind) => note(`team/${agent}/${kind}`, language)), note('env', language)].filter((text) => text !== '')
    },
    memories: (agent, language) => parts.memories.inContext(agent, words[language]),
    taskdoc: (path, language) => parts.taskdocs.inContext(path, language),
  }
}
