/** The beginning (60 %) and the end (40 %) of a long text, with a line between that says how to read the rest. */
export function shortened(text: string, longest: number, handle: string | null): string {
  if (text.length <= longest) return text
  const head = text.slice(0, Math.floor(longest * 0.6)).toWellFormed()
  const tail = text.slice(text.length - Math.floor(longest * 0.4)).toWellFormed()
  const lines = text.slice(head.length, text.length - tail.length).split('\n').length
  return `${head}\n[… ${lines} lines left out${handle === null ? '' : `; recall_output ${handle}`}]\n${tail}`
}
