import { baseName, shells } from './shell-programs.ts'
import type { CommandWord } from './subject.ts'

/** A word that names a file with code, by its position in the command. */
export type CodeFile = { at: number; path: string }

/** The files whose content decides what a command does. `isKnown`: it runs no other code than these files and its own words. */
export type CommandCode = { files: readonly CodeFile[]; isKnown: boolean }

/** Options of an interpreter, each as it is written before `=`. An option that none of them matches makes the code unknown. */
type Grammar = {
  /** The next word is code. */
  inline?: RegExp
  /** The next word, or the part behind `=`, is a file with code. */
  file?: RegExp
  /** The file is in the same word, as in `-fx.awk`. */
  attachedFile?: RegExp
  /** The next word, or the part behind `=`, is neither. */
  value?: RegExp
  flag?: RegExp
  /** Plain words: the first one is a file or code, and the others are arguments; or all of them are data. */
  plain: 'script' | 'code' | 'data'
  /** Every plain word is a script when this option is there. */
  everyPlain?: RegExp
  /** Words behind inline code are arguments, options too. */
  endsAtInline?: true
  /** Files are looked for in another folder when this option is there. */
  folder?: RegExp
}

const shell: Grammar = {
  inline: /^-[abd-zA-Z]*c[a-zA-Z]*$/,
  file: /^--(?:rcfile|init-file)$/,
  value: /^[-+][a-nA-Np-zP-Z]*[oO][a-nA-Np-zP-Z]*$/,
  flag: /^[-+][a-nA-Np-zP-Z]+$|^--(?:login|norc|noprofile|posix|verbose|restricted)$/,
  plain: 'script',
  endsAtInline: true,
}

const python: Grammar = {
  inline: /^-[bBdEhiIOPqRsSuvVx]*c$/,
  value: /^-[bBdEhiIOPqRsSuvVx]*[WX]$|^--check-hash-based-pycs$/,
  flag: /^-[bBdEhiIOPqRsSuvVx]+$|^-[WX]./,
  plain: 'script',
  endsAtInline: true,
}

const node: Grammar = {
  inline: /^-(?:e|p|pe|ep)$|^--(?:eval|print)$/,
  file: /^-r$|^--(?:require|import|loader|experimental-loader|env-file)$/,
  value:
    /^-C$|^--(?:conditions|input-type|title|max-old-space-size|stack-size|stack-trace-limit|unhandled-rejections|test-name-pattern|test-concurrency|test-timeout)$/,
  flag: /^-[ic]$|^--(?:test|watch|expose-gc|no-[\w-]+|trace-[\w-]+|experimental-strip-types|enable-source-maps)$/,
  plain: 'script',
  everyPlain: /^--test$/,
}

const perl: Grammar = { inline: /^-[wWtTnpalsuUcv0]*[eE]$/, flag: /^-[wWtTnpalsuUcv0]+$/, plain: 'script' }
const ruby: Grammar = { inline: /^-[wWnpalscv]*e$/, flag: /^-[wWnpalscv]+$/, plain: 'script' }

const awk: Grammar = {
  file: /^-[fEi]$|^--(?:file|exec|include)$/,
  attachedFile: /^-f(.+)$/,
  value: /^-[vF]$|^--(?:assign|field-separator)$/,
  flag: /^-[vF].|^--(?:posix|re-interval|sandbox|csv)$/,
  plain: 'code',
}

const sed: Grammar = {
  inline: /^-[nErsuz]*e$|^--expression$/,
  file: /^-[nErsuz]*f$|^--file$/,
  attachedFile: /^-[nErsuz]*f(.+)$/,
  flag: /^-[nErsuz]+$|^-[nErsuz]*i|^--(?:quiet|silent|regexp-extended|in-place|separate|null-data|posix|sandbox)$/,
  plain: 'data',
}

const make: Grammar = {
  file: /^-[a-zA-Z]*f$|^--(?:file|makefile)$/,
  attachedFile: /^-f(.+)$/,
  flag: /^-/,
  plain: 'data',
  folder: /^-[a-zA-Z]*C|^--directory/,
}

const others: Grammar = { plain: 'script' }

const interpreters: readonly [name: RegExp, grammar: Grammar][] = [
  [/^(?:python|pypy)[\d.]*$/, python],
  [/^node(?:js)?[\d.]*$/, node],
  [/^perl[\d.]*$/, perl],
  [/^ruby[\d.]*$/, ruby],
  [/^(?:php|lua|tclsh|wish|ghci?)[\d.]*$|^(?:luajit|Rscript|julia|expect|osascript|tsx|ts-node|groovy|runghc)$/, others],
]

/** Programs with files of code whose names are also ordinary words, so that they count in the first place only. */
const tools: readonly [name: RegExp, grammar: Grammar][] = [
  [/^[gmn]?awk$/, awk],
  [/^g?sed$/, sed],
  [/^g?make$/, make],
]

/** Programs that run the command behind them, or fetch one. Their options have too many forms to be read. */
const wrappers: ReadonlySet<string> = new Set(['env', 'sudo', 'doas', 'xargs', 'setsid', 'stdbuf', 'busybox', 'deno', 'bun', 'pwsh', 'npx'])

/** The same, by names that are ordinary words elsewhere. */
const wrappersInFront: ReadonlySet<string> = new Set(
  (
    'su runuser chroot unshare nsenter flock parallel watch script strace ltrace ssh ionice chrt taskset timeout nice time nohup ' +
    'command exec builtin eval source . pnpx bunx uvx pipx'
  ).split(' '),
)

/** The code that a simple command runs, as far as its words tell. */
export function readCode(words: readonly CommandWord[]): CommandCode {
  const [program, ...rest] = words
  if (!program?.isLiteral) return { files: [], isKnown: false }
  const name = baseName(program.value)
  const isOwnFile = program.value.includes('/') && !/^\/(?:usr\/)?bin\//.test(program.value)
  const own: CodeFile[] = isOwnFile ? [{ at: 0, path: program.value }] : []
  if (wrappers.has(name) || wrappersInFront.has(name)) return { files: own, isKnown: false }
  const grammar = interpreterNamed(name) ?? tools.find(([pattern]) => pattern.test(name))?.[1]
  if (grammar) {
    const { files, isKnown } = readOptions(rest, grammar)
    return { files: [...own, ...files], isKnown }
  }
  const runsOther = rest.some(({ value, isLiteral }) => isLiteral && (isRunner(value) || (name === 'find' && /^-(?:exec|ok)/.test(value))))
  return { files: own, isKnown: !runsOther }
}

const interpreterNamed = (name: string): Grammar | undefined =>
  shells.has(name) ? shell : interpreters.find(([pattern]) => pattern.test(name))?.[1]

function isRunner(word: string): boolean {
  const name = baseName(word)
  return wrappers.has(name) || interpreterNamed(name) !== undefined
}

/** `rest` are the words behind the program, so that the position of each is one higher. */
function readOptions(rest: readonly CommandWord[], grammar: Grammar): CommandCode {
  const files: CodeFile[] = []
  const unknown: CommandCode = { files, isKnown: false }
  let hasCode = grammar.plain === 'data'
  const isEvery = rest.some(({ value }) => grammar.everyPlain?.test(value))
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at]
    if (!word?.isLiteral) return hasCode && grammar.plain !== 'data' ? { files, isKnown: true } : unknown
    const isOption = /^[-+]./.test(word.value)
    const isEnd = word.value === '--'
    if (!isOption || isEnd) {
      if (grammar.plain === 'data') continue
      const from = isEnd ? at + 1 : at
      if (!hasCode && grammar.plain === 'script') return withScripts(files, rest, from, isEvery)
      return { files, isKnown: hasCode || files.length > 0 || from < rest.length }
    }
    const equals = word.value.indexOf('=')
    const isLong = word.value.startsWith('--') && equals !== -1
    const option = isLong ? word.value.slice(0, equals) : word.value
    if (grammar.inline?.test(option)) {
      if (grammar.endsAtInline) return { files, isKnown: true }
      hasCode = true
      if (!isLong) at += 1
    } else if (grammar.file?.test(option)) {
      const file = isLong ? { value: word.value.slice(equals + 1), isLiteral: true } : rest[(at += 1)]
      if (!file?.isLiteral) return unknown
      files.push({ at: at + 1, path: file.value })
    } else if (grammar.attachedFile?.test(option)) files.push({ at: at + 1, path: grammar.attachedFile.exec(option)?.[1] ?? '' })
    else if (grammar.value?.test(option)) at += isLong ? 0 : 1
    else if (!grammar.flag?.test(option)) return unknown
  }
  const isElsewhere = files.length > 0 && rest.some(({ value }) => grammar.folder?.test(value))
  // An interpreter that got neither a file nor code reads its program from its input.
  return { files, isKnown: hasCode && !isElsewhere }
}

function withScripts(files: readonly CodeFile[], rest: readonly CommandWord[], from: number, isEvery: boolean): CommandCode {
  const scripts = isEvery ? rest.slice(from) : rest.slice(from, from + 1)
  const isKnown = scripts.length > 0 && scripts.every(({ isLiteral }) => isLiteral)
  const plain = scripts.map(({ value }, index) => ({ at: from + index + 1, path: value })).filter(({ path }) => !path.startsWith('-'))
  return { files: [...files, ...(isKnown ? plain : [])], isKnown }
}

/** These run nothing that they read. */
export const printers: ReadonlySet<string> = new Set('cat head tail wc ls stat du grep cut uniq diff cmp'.split(' '))

/** Programs that run code of the folder they are called in, which their words do not name. */
const taskRunners: ReadonlySet<string> = new Set(
  (
    'npm pnpm yarn make gmake cargo go gradle gradlew mvn mvnw pytest py.test jest vitest mocha ava tox nox rake bundle composer ' +
    'dotnet just task ninja cmake ctest bazel phpunit rspec swift zig stack cabal mix sbt lein tsc eslint webpack vite'
  ).split(' '),
)

const namesFile = (word: string): boolean => !word.includes('://') && (/\//.test(word) || /\w\.[a-z]\w{0,5}$/i.test(word))

/** True if a scope of these words, bound to no file, allows the command whatever the files it runs contain. */
export function coversAnyContent(words: readonly string[], isOpen: boolean): boolean {
  const [program, ...rest] = words
  const name = baseName(program ?? '')
  if (name === 'git' || printers.has(name)) return false
  return isOpen || taskRunners.has(name) || rest.some(namesFile)
}
