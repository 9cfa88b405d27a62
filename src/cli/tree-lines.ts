import type { DialogStatus, DialogSummary } from '../shapes/wire.ts'
import { age } from './age.ts'
import { fit, pad } from './columns.ts'
import { oneLine } from './plain-text.ts'
import { statusPaint } from './status-paint.ts'
import type { Paint } from './terminal.ts'
import type { TerminalWords } from '../words/en/terminal.ts'
import { displayWidth } from './display-width.ts'

/** A dialog with the side dialogs it opened, each with its own. */
export type TreeNode = DialogSummary & { sides: TreeNode[] }

/** From the flat list the server gives. A side dialog whose opener is not in it hangs below the root. */
export function buildTree(dialogs: readonly DialogSummary[]): TreeNode[] {
  const nodes = new Map(dialogs.map((dialog) => [dialog.id, { ...dialog, sides: [] as TreeNode[] }]))
  const roots: TreeNode[] = []
  for (const node of nodes.values()) {
    const above = node.origin && (nodes.get(node.origin.parent) ?? nodes.get(node.origin.root))
    if (above && above !== node) above.sides.push(node)
    else roots.push(node)
  }
  // A failure comes first: it waits for a person.
  for (const { sides } of nodes.values()) sides.sort((a, b) => Number(b.status === 'failed') - Number(a.status === 'failed'))
  return roots
}

export const statusIcon: Record<DialogStatus, string> = {
  ready: '✓',
  working: '●',
  stopping: '◌',
  waiting: '?',
  delegated: '…',
  stopped: '■',
  failed: '✗',
  dead: '†',
  retired: '▫',
}

/** A state in words, with whom it waits for. */
export function statusWords(
  { id, status, pending, stop }: Pick<DialogSummary, 'status' | 'pending'> & Partial<Pick<DialogSummary, 'id' | 'stop'>>,
  words: TerminalWords,
): string {
  if (status === 'stopped' && stop && stop.in !== id) return stop.in === null ? words.stoppedByAll : words.stoppedIn(stop.in)
  return status === 'delegated' ? words.waitsFor([...new Set(pending.map(({ agent }) => `@${agent}`))].join(', ')) : words.status[status]
}

const mostTitle = 48

/** One line for each dialog: its place, title, teammate, state, age, and what waits for a person. */
export function treeLines(roots: readonly TreeNode[], words: TerminalWords, paint: Paint, width: number): string[] {
  type Line = { branch: string; node: TreeNode }
  const lines: Line[] = []
  const walk = (node: TreeNode, branch: string, below: string): void => {
    lines.push({ branch, node })
    node.sides.forEach((side, index) => {
      const isLast = index === node.sides.length - 1
      walk(side, `${below}${isLast ? '└ ' : '├ '}`, `${below}${isLast ? '  ' : '│ '}`)
    })
  }
  for (const root of roots) walk(root, '', '')
  const most = Math.min(mostTitle, Math.max(16, width - 44))
  const getTitle = ({ branch, node }: Line): string =>
    branch + fit(oneLine(node.title || node.preview || node.id), Math.max(8, most - branch.length))
  const titleWidth = Math.max(0, ...lines.map((line) => displayWidth(getTitle(line))))
  const agentWidth = Math.max(0, ...lines.map(({ node }) => displayWidth(oneLine(node.agent)) + 1))
  const stateWidth = Math.max(0, ...lines.map(({ node }) => displayWidth(oneLine(statusWords(node, words)))))
  return lines.map((line) => {
    const { node } = line
    const state = `${statusIcon[node.status]} ${pad(oneLine(statusWords(node, words)), stateWidth)}`
    const parts = [
      pad(getTitle(line), titleWidth),
      pad(`@${oneLine(node.agent)}`, agentWidth),
      statusPaint(node.status, paint)(state),
      paint.dim(age(node.updatedAt, words)),
    ]
    if (node.openQuestions > 0) parts.push(paint.yellow(words.openQuestions(node.openQuestions)))
    return `${parts.join('  ')}  ${paint.dim(node.id)}`
  })
}
