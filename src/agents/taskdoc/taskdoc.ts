import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '../../dialog/events.ts'
import { type Place, placeInside, plainPath } from '../workspace/inside.ts'
import { writeWhole } from '../workspace/write-whole.ts'
import type { TextFiles } from '../minds/text-files.ts'
import { bearInMind, bearInMindFolder, hashOf, mainSections, sectionFile, taskdocLimits } from './section.ts'

/** Task documents below a project's folder. One is a folder `*.tsk` that only these functions read and write. */
export type Taskdocs = {
  /** What is put before every generation, null when the document is not there. */
  inContext(taskdoc: string, language: Language): string | null
  recall(taskdoc: string, category: string, selector: string): string
  /** Replaces one whole section. `known` is the hash of what the writer has read; null when it gives none. */
  change(taskdoc: string, section: { selector: string; category: string | null }, content: string, known: string | null): { hash: string }
}

export function taskdocs(root: string, files: TextFiles): Taskdocs {
  /** No link may lead a section to somewhere else. */
  const placeOf = (taskdoc: string, file: string): Place => {
    if (!/\.tsk\/?$/.test(taskdoc)) throw new Error('A task document is a folder whose name ends with ".tsk".')
    const folder = placeInside(root, plainPath(taskdoc))
    if (!folder.name.endsWith('.tsk')) throw new Error('The task document is a link to something that is none.')
    if (file === '') return folder
    const place = placeInside(root, `${folder.name}/${file}`)
    if (!place.name.startsWith(`${folder.name}/`)) throw new Error('A section may not be a link to a place outside of the task document.')
    return place
  }
  const read = (taskdoc: string, file: string): string | null => files.read(placeOf(taskdoc, file).path)

  return {
    inContext(taskdoc, language) {
      let folder: string
      try {
        folder = placeOf(taskdoc, '').path
      } catch {
        return null
      }
      const names = files.names(folder, '.md').slice(0, taskdocLimits.sections)
      if (names.length === 0) return null
      const shown = (name: string, level: string): string[] => {
        const text = names.includes(`${name}.md`) ? files.read(join(folder, `${name}.md`)) : null
        if (text === null || text.trim() === '') return []
        return [`${level} ${titleOf(name)} (hash ${hashOf(text)})\n\n${text.trim()}`]
      }
      const [goals, constraints, progress] = mainSections
      const remembered = bearInMind.flatMap((name) => shown(`${bearInMindFolder}/${name}`, '###'))
      const inline: string[] = [...mainSections.map((name) => `${name}.md`), ...bearInMind.map((name) => `${bearInMindFolder}/${name}.md`)]
      const others = names.filter((name) => !inline.includes(name) && /^[^/]+\/[^/]+$/.test(name)).map((name) => name.slice(0, -3))
      const zh = language === 'zh'
      const parts = [
        `# ${zh ? '任务文档' : 'Task document'} ${taskdoc}`,
        ...shown(goals, '##'),
        ...shown(constraints, '##'),
        ...(remembered.length > 0 ? [`## ${zh ? '牢记' : 'Bear in mind'}`, ...remembered] : []),
        ...shown(progress, '##'),
        ...(others.length > 0
          ? [
              `## ${zh ? '其他章节（用 recall_taskdoc 读取）' : 'More sections (read them with recall_taskdoc)'}\n\n${others.map((name) => `- ${name}`).join('\n')}`,
            ]
          : []),
      ]
      return capped(parts.join('\n\n'), zh)
    },
    recall(taskdoc, category, selector) {
      const text = read(taskdoc, sectionFile(selector, category))
      if (text === null) throw new Error(`There is no section "${selector}" in "${category}".`)
      return text
    },
    change(taskdoc, { selector, category }, content, known) {
      if (content.trim() === '') throw new Error('The content is empty. A section is replaced whole, so give all of it.')
      if (content.length > taskdocLimits.sectionChars)
        throw new Error(`The content has more than ${taskdocLimits.sectionChars} characters.`)
      const { path } = placeOf(taskdoc, sectionFile(selector, category))
      const text = content.toWellFormed()
      // Not from the cache: another process may have written a moment ago.
      const now = textNow(path)
      // The same again, as after a crash, is done already.
      if (now === text) return { hash: hashOf(text) }
      if (known !== null && known !== (now === null ? 'none' : hashOf(now)))
        throw new Error(
          now === null
            ? `Nothing was changed: the section does not exist yet, so its hash is "none", not "${known.slice(0, 40)}".`
            : `Nothing was changed: somebody else has changed the section. Its hash is now ${hashOf(now)}. Read it again, then change it with that hash.`,
        )
      writeWhole(path, text)
      files.forget()
      return { hash: hashOf(text) }
    },
  }
}

function textNow(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

const titleOf = (name: string): string => {
  const last = name.split('/').at(-1) ?? name
  return `${last.slice(0, 1).toUpperCase()}${last.slice(1)}`
}

function capped(text: string, zh: boolean): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= taskdocLimits.inlineBytes) return text
  const left = bytes.length - taskdocLimits.inlineBytes
  const cut = bytes.toString('utf8', 0, taskdocLimits.inlineBytes).replace(/\ufffd$/, '')
  return zh
    ? `${cut}\n\n[任务文档超过 100 KB，此处省略了 ${left} 字节。请精简各章节。]`
    : `${cut}\n\n[The task document is longer than 100 KB: ${left} bytes are left out here. Shorten its sections.]`
}
