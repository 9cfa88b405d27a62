import { commandFault, commandLimits } from './command-fault.ts'
import { commandWord } from './literal-word.ts'
import type { FileUse } from './redirection.ts'
import { baseName, shells, stateBuiltins, withoutWrapper } from './shell-programs.ts'
import { type Command, forEachChild, parseShell, type SyntaxNode } from './shell-syntax.ts'
import type { CommandWord, NetSubject, RunSubject } from './subject.ts'
import { hasCodeInSubscript, syntaxEffect } from './syntax-effect.ts'
import type { Unsure, UnsureWhy } from './unsure.ts'

/** Everything a command line does, as far as its text tells. */
export type CommandReading = {
  runs: readonly RunSubject[]
  files: readonly FileUse[]
  nets: readonly NetSubject[]
  unsure: readonly Unsure[]
  /** It changes the folder somewhere, so relative redirections are unsure. */
  changesFolder: boolean
  /** A wrapper, assignment, substitution or nested shell: nothing that a standing permission should be made of. */
  isOnceOnly: boolean
}

/** Reads a command as bash does. Whatever could be read in another way is named in `unsure`. */
export function readCommand(command: string): CommandReading {
  const reader = new CommandReader()
  reader.read(command, 0)
  return reader.reading
}

/** Options of git before its verb with a value in the next word. */
const valueOption = /^(?:-[cC]|--(?:git-dir|work-tree|namespace|super-prefix|config-env|attr-source))$/

/**
 * Bash joins what touches into one word, such as a<(b), or the text in `<<< <(a)b c`. The parser ends a word at the bracket and
 * would take `b` for the program.
 */
function hasTouchingWords({ prefix, name, suffix }: Command): boolean {
  const parts: readonly SyntaxNode[] = [...prefix, ...(name ? [name] : []), ...suffix]
  return parts.some(({ end }, at) => {
    const next = parts[at + 1]
    return (next?.type === 'Word' || next?.type === 'Assignment') && next.pos === end
  })
}

class CommandReader {
  readonly #runs: RunSubject[] = []
  readonly #files: FileUse[] = []
  readonly #nets: NetSubject[] = []
  readonly #unsure = new Map<string, Unsure>()
  #changesFolder = false
  #isOnceOnly = false
  #depth = 0

  get reading(): CommandReading {
    return {
      runs: this.#runs,
      files: this.#files,
      nets: this.#nets,
      unsure: [...this.#unsure.values()],
      changesFolder: this.#changesFolder,
      isOnceOnly: this.#isOnceOnly,
    }
  }

  read(command: string, depth: number): void {
    const fault = commandFault(command)
    if (fault) return this.#doubt(fault.why, fault.detail)
    // The old form of arithmetic, which the parser reads in its own way.
    if (command.includes('$[')) this.#doubt('expansion', '$[')
    // Bash drops a backslash at the very end; the parser makes it a word.
    if (/(?:^|[^\\])(?:\\\\)*\\$/.test(command)) this.#doubt('syntax')
    const outer = this.#depth
    this.#depth = depth
    try {
      this.#visit(parseShell(command))
    } catch {
      // Deep nesting of some keywords overflows the stack of the parser.
      this.#doubt('syntax')
    }
    this.#depth = outer
  }

  #doubt(why: UnsureWhy, detail?: string): void {
    this.#unsure.set(`${why} ${detail ?? ''}`, detail === undefined ? { why } : { why, detail: detail.slice(0, 100) })
  }

  #visit(node: SyntaxNode): void {
    if (node.type === 'Command') this.#simple(node)
    const { unsure, files = [], net, isOnceOnly = false } = syntaxEffect(node)
    if (unsure) this.#doubt(unsure.why, unsure.detail)
    this.#files.push(...files)
    if (net) this.#nets.push(net)
    this.#isOnceOnly ||= isOnceOnly
    forEachChild(node, (child) => this.#visit(child))
  }

  #simple(command: Command): void {
    if (!command.name) return
    if (hasTouchingWords(command)) this.#doubt('syntax')
    const allWords = [command.name, ...command.args]
    const outer = allWords.map((word): CommandWord =>
      word.type === 'Assignment' ? { value: word.text, isLiteral: false } : commandWord(word),
    )
    let words: readonly CommandWord[] = outer
    for (let times = 0; times < commandLimits.wrappers; times += 1) {
      const inner = withoutWrapper(words)
      if (!inner) break
      words = inner
      this.#isOnceOnly = true
    }
    if (this.#runs.length >= commandLimits.subjects) return this.#doubt('too-long', String(this.#runs.length))
    this.#runs.push(words === outer ? { kind: 'run', words } : { kind: 'run', words, outer })
    const program = words[0]
    if (!program?.isLiteral || program.value === '') return this.#doubt('program', program?.value)
    const name = baseName(program.value)
    if (name === 'cd' || name === 'pushd' || name === 'popd') this.#changesFolder = true
    if (stateBuiltins.has(program.value) || (program.value === 'printf' && words[1]?.value.startsWith('-v')))
      this.#doubt('shell-state', program.value)
    if ((program.value === 'test' || program.value === '[') && words.some(({ value }) => hasCodeInSubscript(value)))
      this.#doubt('expansion')
    if (name === 'git') this.#gitOptions(words.slice(1))
    if (name === 'eval') this.#nested(words.slice(1), true)
    this.#shells(words, command)
  }

  /** Options before the verb can define aliases and name programs that git runs. */
  #gitOptions(words: readonly CommandWord[]): void {
    for (const [at, { value, isLiteral }] of words.entries()) {
      if (isLiteral && !value.startsWith('-') && !valueOption.test(words[at - 1]?.value ?? '')) return
      const setting = value === '-c' ? words[at + 1] : undefined
      const isHarmless = setting?.isLiteral === true && /^(?:color|column|advice|user)\.[\w.-]+(?:=|$)/i.test(setting.value)
      if ((value === '-c' && !isHarmless) || /^--(?:config-env|exec-path=|git-dir)/.test(value))
        this.#doubt('configuration', setting?.value ?? value)
    }
  }

  /** A shell among the words: `bash -c text`, `env sh -c text`, `sudo bash <<EOF`, or one that reads its commands from a pipe. */
  #shells(words: readonly CommandWord[], command: Command): void {
    const at = words.findIndex(({ value, isLiteral }) => isLiteral && shells.has(baseName(value)))
    if (at === -1) return
    const rest = words.slice(at + 1)
    const flag = rest.findIndex(({ value, isLiteral }) => isLiteral && /^-[A-Zabd-z]*c[A-Za-z]*$/.test(value))
    if (flag !== -1) return this.#nested(rest.slice(flag + 1, flag + 2), false)
    const readsInput = rest.some(({ value, isLiteral }) => isLiteral && /^-[A-Za-rt-z]*s[A-Za-z]*$/.test(value))
    if (!readsInput && rest.some(({ value, isLiteral }) => !isLiteral || !/^[-+]/.test(value))) return
    this.#doubt('nested-shell')
    this.#isOnceOnly = true
    for (const redirect of command.redirects) {
      if (redirect.type === 'HereDoc' && (redirect.body.parts ?? []).every(({ type }) => type === 'Literal'))
        this.#nested([{ value: redirect.body.text, isLiteral: true }], false)
      if (redirect.type === 'HereString' && redirect.target) this.#nested([commandWord(redirect.target)], false)
    }
  }

  /** Text that a shell runs is read as well, so that deny rules see it; the call stays unsure whatever it says. */
  #nested(words: readonly CommandWord[], isJoined: boolean): void {
    this.#doubt('nested-shell')
    this.#isOnceOnly = true
    if (words.length === 0 || words.some(({ isLiteral }) => !isLiteral) || this.#depth >= commandLimits.nestedShells) return
    this.read(isJoined ? words.map(({ value }) => value).join(' ') : (words[0]?.value ?? ''), this.#depth + 1)
  }
}
