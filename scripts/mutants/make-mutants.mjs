import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

/** Each rule finds the text it replaces; the last one deletes a statement, other than a line of the log. The cast keeps what the compiler knows after the guard. */
const rules = [
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \+ /g, ' - '],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/(?<=[ ([])\d+(?=[ ,)\];]|$)/g, (number) => String(Number(number) + 1)],
  [/\bif \((?=.*\) (?:return|continue|break|throw)\b)/g, 'if ((true as boolean) || '],
  [/^ +(?!return|const|let|if|else|for|case|default|export|function|type|import|log\(|\*|\/)[\w.]+(?:\(.*\)| [+|]?= .*[\w)\]'])$/g, ''],
]

const isCode = (line) => !/^\s*(?:\/\/|\/?\*|import |export type |type |\| )/.test(line) && !/^export const \w+Limits/.test(line)

/** Texts in quotes are no rules, so they are not mutated. */
const isInText = (line, index) => ["'", '`'].some((quote) => line.slice(0, index).split(quote).length % 2 === 0)

export const applyMutant = (text, { start, end, by }) => text.slice(0, start) + by + text.slice(end)

function readMutants(folder, file) {
  const text = readFileSync(file, 'utf8')
  const plain = stripTypeScriptTypes(text)
  let offset = 0
  return text.split('\n').flatMap((line, index) => {
    const lineStart = offset
    offset += line.length + 1
    if (!isCode(line)) return []
    return rules.flatMap(([find, to]) =>
      [...line.matchAll(find)]
        .filter((match) => !isInText(line, match.index))
        .map((match) => {
          const by = typeof to === 'function' ? to(match[0]) : to
          const start = lineStart + match.index
          const changed = line.slice(0, match.index) + by + line.slice(match.index + match[0].length)
          return { folder, file, line: index + 1, from: line.trim(), to: changed.trim(), start, end: start + match[0].length, by }
        })
        .filter((mutant) => isDifferent(plain, applyMutant(text, mutant))),
    )
  })
}

/** A mutant that is no TypeScript, or that differs in types alone, says nothing about tests. Types are stripped to blanks. */
function isDifferent(plain, text) {
  try {
    return withoutBlanks(stripTypeScriptTypes(text)) !== withoutBlanks(plain)
  } catch {
    return false
  }
}

const withoutBlanks = (text) => text.replace(/\s+/g, ' ')

const getKey = ({ file, from, to }) => [file, from, to].join('\n')

/** Lines that occur twice in a file give one mutant each, told apart by their number among the same ones. */
export function makeMutants(folders) {
  const countByKey = new Map()
  return folders
    .flatMap((folder) =>
      globSync(`${folder}/**/*.ts`)
        .filter((file) => !/(?:\.test|-sample)\.ts$|\/test\//.test(file))
        .toSorted()
        .flatMap((file) => readMutants(folder, file)),
    )
    .map((mutant, id) => {
      const count = (countByKey.get(getKey(mutant)) ?? 0) + 1
      countByKey.set(getKey(mutant), count)
      return { ...mutant, id, key: `${getKey(mutant)}\n${count}` }
    })
}

const getRank = (seed, { key }) => createHash('sha256').update(`${seed}\n${key}`).digest('hex')

/** Takes the same share of each folder. The order follows from the seed and the mutant alone, so changes elsewhere leave it nearly as it was. */
export function takeSample(mutants, seed, size) {
  const folders = Object.values(Object.groupBy(mutants, ({ folder }) => folder))
  return folders.flatMap((ofFolder) =>
    ofFolder
      .map((mutant) => ({ mutant, rank: getRank(seed, mutant) }))
      .toSorted((left, right) => (left.rank < right.rank ? -1 : 1))
      .slice(0, Math.round((size * ofFolder.length) / mutants.length))
      .map(({ mutant }) => mutant),
  )
}
