/** A heading with its text and the sections below it. */
export type Section = { heading: string; body: string | null; below: readonly Section[] }

export const section = (heading: string, body: string | null, below: readonly Section[] = []): Section => ({ heading, body, below })

export const bullets = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n')

/** Sections without text vanish with their headings. */
export function writeSections(sections: readonly Section[], level: number): string {
  return sections
    .flatMap(({ heading, body, below }) => {
      const inner = writeSections(below, level + 1)
      const text = [body, inner].filter((part) => part !== null && part !== '').join('\n\n')
      return text === '' ? [] : [`${'#'.repeat(level)} ${heading}\n${text}`]
    })
    .join('\n\n')
}
