import type { AdaptedBlock } from '../../ports/channel.ts'

type Controls = Extract<AdaptedBlock, { type: 'buttons' | 'select' }>

/** Two blocks with the controls of one, for a message that cannot hold all of them; null for a single control. */
export function halveControls(block: Controls): [Controls, Controls] | null {
  if (block.type === 'select') {
    const halves = halve(block.options)
    return (
      halves && [
        { ...block, options: halves[0] },
        { ...block, options: halves[1] },
      ]
    )
  }
  const rows = halve(block.rows)
  if (rows)
    return [
      { ...block, rows: rows[0] },
      { ...block, rows: rows[1] },
    ]
  const row = halve(block.rows[0] ?? [])
  return (
    row && [
      { ...block, rows: [row[0]] },
      { ...block, rows: [row[1]] },
    ]
  )
}

function halve<Item>(items: readonly Item[]): [Item[], Item[]] | null {
  if (items.length < 2) return null
  const middle = Math.ceil(items.length / 2)
  return [items.slice(0, middle), items.slice(middle)]
}
