// `npm run counts`: how the language of the code is measured. Prints JSON; `-- --files` names the files with most findings.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

const files = execFileSync('git', ['ls-files', 'src', 'packages', 'web/src', 'test', 'bench', 'examples', 'scripts'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && file !== 'scripts/prose-counts.mjs' && existsSync(join(root, file)))

/** Participles that say nothing about the value they name. */
const participles = 'asked told kept said given taken found made known held left heard seen sent shown noted meant wanted done'.split(' ')

const measures = {
  commentsOpeningWithWhatOrWho: (text) =>
    text.match(/(?:\/\*\*?(?:\s*\n\s*\*)?|\/\/)\s*(?:What|Who|Whoever|Whose|Whom|How)\b/g)?.length ?? 0,
  somebodyOrNobody: (text) => text.match(/\b(?:somebody|nobody|whoever|anybody|everybody)\b/gi)?.length ?? 0,
  xOfFunctions: (text) => text.match(/(?:\bfunction\s+[a-z]\w*Of\b|\bconst\s+[a-z]\w*Of\s*[=:])/g)?.length ?? 0,
  bareParticiples: (text) => text.match(new RegExp(`\\b(?:const|let)\\s+(?:${participles.join('|')})\\b`, 'g'))?.length ?? 0,
}

const total = Object.fromEntries(Object.keys(measures).map((name) => [name, 0]))
const lines = {}
const found = []
for (const file of files) {
  const text = readFileSync(join(root, file), 'utf8')
  const folder = file.startsWith('src/') && file.split('/').length > 2 ? file.split('/').slice(0, 2).join('/') : file.split('/')[0]
  lines[folder] = (lines[folder] ?? 0) + text.split('\n').length - 1
  let sum = 0
  for (const [name, count] of Object.entries(measures)) {
    total[name] += count(text)
    sum += count(text)
  }
  if (sum > 0) found.push([file, sum])
}
if (files.length === 0) throw new Error('no file was examined')
const all = Object.values(lines).reduce((sum, count) => sum + count, 0)
console.log(JSON.stringify({ files: files.length, ...total, lines: { all, ...lines } }, null, 2))
if (process.argv.includes('--files')) for (const [file, count] of found.toSorted(([, a], [, b]) => b - a)) console.log(`${count}\t${file}`)
