import { pathToFileURL } from 'node:url'
import { projectFiles, root } from './project-files.ts'

const head = `# Limits

Every queue, loop, cache, retry and text has a bound. This page is written from the code by \`npm run docs\`; a test compares them. Names end with their unit: \`Ms\` milliseconds, \`Chars\` characters, \`Bytes\` bytes. What an operator may change is under \`limits\` in \`parley.yaml\`: \`parley config schema\`.
`

type Limits = Record<string, number | string | boolean>

/** The page as it should be: every exported \`…Limits\` of the source, file by file. */
export async function limitsPage(): Promise<string> {
  const sections: string[] = []
  for (const { path, text } of projectFiles(['src', 'packages'], /(?<!\.test)\.ts$/)) {
    const names = [...text.matchAll(/^export const (\w*[lL]imits)\b/gm)].map(([, name = '']) => name)
    if (names.length === 0) continue
    const module = (await import(pathToFileURL(root + path).href)) as Record<string, Limits>
    for (const name of names) {
      const rows = Object.entries(module[name] ?? {}).map(
        ([limit, value]) => `| ${limit} | ${typeof value === 'number' ? value.toLocaleString('en') : String(value)} |`,
      )
      sections.push(`## ${name}\n\n\`${path}\`\n\n| limit | value |\n|---|---:|\n${rows.join('\n')}\n`)
    }
  }
  return `${head}\n${sections.join('\n')}`
}
