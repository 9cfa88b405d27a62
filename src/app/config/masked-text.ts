import { isScalar, parseDocument, visit } from 'yaml'

const hidden = '••••••'
/** A shorter value may be a word. */
const shortestRepeated = 8
const secretKey = /key|secret|token|password|authorization/i
/** Whatever stands under these keys, whatever it is called. */
const secretParents: ReadonlySet<string> = new Set(['headers', 'env'])
const isReference = (text: string): boolean => /^\$\{[A-Z_][A-Z0-9_]*\}$/.test(text)

/**
 * The text of parley.yaml for people: secrets that were written into it instead of named by a variable become dots, in comments
 * as well. Every line stays a line, so that the texts before and after a change can be compared. A text that is no YAML is
 * hidden as a whole, because its secrets cannot be found.
 */
export function maskConfigText(text: string): string {
  const document = parseDocument(text)
  if (document.errors.length > 0) return text === '' ? '' : `${hidden}\n`
  const cuts: [number, number][] = []
  const values = new Set<string>()
  visit(document, {
    Scalar(_key, node, path) {
      const keys = path.flatMap((part) => ('key' in part && isScalar(part.key) && part.key !== node ? [String(part.key.value)] : []))
      const isKey = path.some((part) => 'key' in part && part.key === node)
      if (isKey || !node.range || (typeof node.value !== 'string' && typeof node.value !== 'number')) return
      const value = String(node.value)
      // Numbers such as those of budgets are no secrets; ids that are keys are long.
      if (isReference(value) || (typeof node.value === 'number' && value.length < 12)) return
      const isSecret = secretKey.test(keys.at(-1) ?? '') || keys.some((key) => secretParents.has(key))
      if (!isSecret && !/:\/\/[^\s:@/]{0,256}:[^\s@]{1,256}@/.test(value)) return
      cuts.push([node.range[0], node.range[1]])
      if (value.length >= shortestRepeated) values.add(value)
    },
  })
  const masked = cuts
    .toSorted((a, b) => b[0] - a[0])
    .reduce((shown, [from, to]) => shown.slice(0, from) + withLines(shown.slice(from, to)) + shown.slice(to), text)
  // The same secret may stand in a comment as well.
  return maskComments([...values].reduce((shown, value) => shown.replaceAll(value, hidden), masked))
}

/** As many lines as before, and as many line breaks at the end. */
function withLines(text: string): string {
  let end = text.length
  while (text[end - 1] === '\n') end -= 1
  return hidden + '\n'.repeat(text.slice(0, end).split('\n').length - 1) + text.slice(end)
}

/** Text after such a word in a comment; a comment has no structure. */
const maskComments = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      const at = line.search(/(?:^|\s)#/)
      if (at < 0 || !secretKey.test(line.slice(at))) return line
      return (
        line.slice(0, at) +
        line.slice(at).replace(/\S{8,200}/g, (word) => (isReference(word) || /^[A-Za-z-]{1,40}[:.,]?$/.test(word) ? word : hidden))
      )
    })
    .join('\n')
