/** P18: a root and a side of one member declare the same tools in the same order up to the last declaration; null if they do. */
export function toolsFault(root: readonly { name: string }[], side: readonly { name: string }[]): string | null {
  const shared = Math.max(root.length, side.length) - 1
  for (let at = 0; at < shared; at += 1)
    if (JSON.stringify(root[at]) !== JSON.stringify(side[at])) return `${at}: ${root[at]?.name} of a root, ${side[at]?.name} of a side`
  return null
}
