import { createHash } from 'node:crypto'

/** Sections of every task document, in reading order. */
export const mainSections = ['goals', 'constraints', 'progress'] as const

/** The only sections of `bearinmind/`, in the order in which they are read. */
export const bearInMind = ['contracts', 'acceptance', 'grants', 'runbook', 'decisions', 'risks'] as const

export const bearInMindFolder = 'bearinmind'

export const taskdocLimits = { sectionChars: 100_000, inlineBytes: 100_000, sections: 200, shownChars: 1_000_000 } as const

const identifier = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/

const includes = (names: readonly string[], name: string): boolean => names.includes(name)

/** The file of a section within the package. Throws in words when there can be no such section. */
export function sectionFile(selector: string, category: string | null): string {
  if (!identifier.test(selector))
    throw new Error(`"${selector.slice(0, 80)}" is not a name of a section: letters, digits, - and _, beginning with a letter.`)
  const name = selector.toLowerCase()
  if (category === null) {
    if (includes(mainSections, selector)) return `${selector}.md`
    throw new Error(
      includes(bearInMind, name)
        ? `"${selector}" belongs to the category "${bearInMindFolder}".`
        : `Without a category, the section is one of ${mainSections.join(', ')}.`,
    )
  }
  if (!identifier.test(category))
    throw new Error(`"${category.slice(0, 80)}" is not a name of a category: letters, digits, - and _, beginning with a letter.`)
  if (category === bearInMindFolder) {
    if (includes(bearInMind, selector)) return `${bearInMindFolder}/${selector}.md`
    throw new Error(`"${bearInMindFolder}" has only ${bearInMind.join(', ')}.`)
  }
  const reserved = [...mainSections, ...bearInMind, bearInMindFolder]
  if (includes(reserved, category.toLowerCase())) throw new Error(`"${category}" is reserved and cannot be a category.`)
  if (includes(reserved, name)) throw new Error(`"${selector}" is reserved and cannot be in the category "${category}".`)
  return `${category}/${selector}.md`
}

/** A short proof of what was read, to be given back with a change. */
export const hashContent = (content: string): string => createHash('sha256').update(content).digest('hex').slice(0, 12)
