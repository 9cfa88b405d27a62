/** The only file that imports the shell parser. Callers pass commands through `commandFault` first: the parser is quadratic. */
import { parse, type ParsedScript } from 'unbash'

export { forEachChild } from 'unbash'
export type { Command, Redirect, SyntaxNode, Word, WordPart } from 'unbash'

export const parseShell = (source: string): ParsedScript => parse(source)
