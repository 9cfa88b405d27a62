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

function readMutants(folder, file) {
  const text = readFileSync(file, 'utf8')
  const plain = stripTypes(text)
  let next = 0
  return text.split('\n').flatMap((line, index) => {
    const lineStart = next
    next += line.length + 1
    return rules
      .flatMap(([find, to]) => (isCode(line) ? [...line.matchAll(find)].map((match) => ({ at: match.index, found: match[0], to })) : []))
      .filter(({ at }) => !isInText(line, at))
      .map(({ at, found, to }) => {
        const changed = line.slice(0, at) + (typeof to === 'function' ? to(found) : to) + line.slice(at + found.length)
        const mutated = text.slice(0, lineStart) + changed + text.slice(lineStart + line.length)
        return { folder, file, line: index + 1, from: line.trim(), to: changed.trim(), start: lineStart + at, text: mutated }
      })
      .filter((mutant) => ![plain, ''].includes(stripTypes(mutant.text)))
  })
}

/** A mutant that is no TypeScript, or that differs in types alone, says nothing about tests. */
function stripTypes(text) {
  try {
    return stripTypeScriptTypes(text).replace(/\s+/g, ' ')
  } catch {
    return ''
  }
}

/** Lines that occur twice in a file give one mutant each, told apart by their number among the same ones. */
export function makeMutants(folders) {
  const countByKey = new Map()
  return folders
    .flatMap((folder) =>
      globSync(`${folder}/**/*.ts`)
        .toSorted()
        .map((file) => [folder, file]),
    )
    .filter(([, file]) => !/(?:\.test|-sample)\.ts$|\/test\//.test(file))
    .flatMap(([folder, file]) => readMutants(folder, file))
    .map((mutant, id) => {
      const key = [mutant.file, mutant.from, mutant.to].join('\n')
      countByKey.set(key, (countByKey.get(key) ?? 0) + 1)
      return { ...mutant, id, key: `${key}\n${countByKey.get(key)}` }
    })
}

/** Takes the same share of each folder. The order follows from the seed and the mutant alone, so changes elsewhere leave it nearly as it was. */
export function takeSample(mutants, seed, size) {
  const rank = ({ key }) => createHash('sha256').update(`${seed}\n${key}`).digest('hex')
  return Object.values(Object.groupBy(mutants, ({ folder }) => folder)).flatMap((list) =>
    list.toSorted((left, right) => (rank(left) < rank(right) ? -1 : 1)).slice(0, Math.round((size * list.length) / mutants.length)),
  )
}
