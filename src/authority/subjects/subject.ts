/** One word of a command. `isLiteral` is false when bash would still expand it, so that its value is not known. */
export type CommandWord = { value: string; isLiteral: boolean }

/** One simple command. `outer` are its words before wrappers such as `timeout 5` were taken off. */
export type RunSubject = { kind: 'run'; words: readonly CommandWord[]; outer?: readonly CommandWord[] }

/** A name of a file: `inside` is relative to the project (empty for its folder), null when the file is outside of it. */
export type PathName = { inside: string | null; absolute: string }

export type Protection = 'hidden' | 'fixed'

/** A file or folder. `names` are the name that was given and the real one, when they differ. */
export type PathSubject = {
  kind: 'read' | 'write'
  names: readonly PathName[]
  /** The disk does not tell upper from lower case. */
  foldsCase?: boolean
  /** Everything below the folder is read as well, as by a search. */
  isRecursive?: boolean
  protection?: Protection
  isInWriteDirs?: boolean
}

/** `isPrivate`: the host is, or resolves to, a private or metadata address. */
export type NetSubject = { kind: 'net'; host: string; port: number | null; isPrivate?: boolean }

/** `isOwn`: the address the dialog itself is bound to. */
export type MessageSubject = { kind: 'message'; address: string; isOwn?: boolean }

/** Top-level scalars of the input; null marks a field that is no scalar. */
export type Scalars = Readonly<Record<string, string | null>>

export type McpSubject = { kind: 'mcp'; server: string; tool: string; scalars: Scalars; isReadOnly?: boolean }

/** Any tool without a more exact subject, under its own name. */
export type ToolSubject = { kind: 'tool'; name: string; scalars: Scalars }

export type Subject = RunSubject | PathSubject | NetSubject | MessageSubject | McpSubject | ToolSubject

/** The subject as rules write it, for cards and `policy explain`. */
export function subjectText(subject: Subject): string {
  switch (subject.kind) {
    case 'run':
      return `run(${subject.words.map(({ value }) => shellWord(value)).join(' ')})`
    case 'read':
    case 'write':
      return `${subject.kind}(${subject.names.map((name) => (name.inside === '' ? '.' : (name.inside ?? name.absolute))).join(' → ')})`
    case 'net':
      return `net(${subject.host}${subject.port === null ? '' : `:${subject.port}`})`
    case 'message':
      return `message(${subject.address})`
    case 'mcp':
      return `mcp(${subject.server}/${subject.tool})`
    case 'tool':
      return `tool(${subject.name})`
  }
}

/** A word as it can be written in a rule again. */
export function shellWord(value: string): string {
  return value !== '' && /^[^\s'"\\*?()]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
}
