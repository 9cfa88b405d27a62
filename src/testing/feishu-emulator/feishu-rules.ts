/** An element of a card. */
export type CardElement = {
  tag: string
  content?: string
  text?: { content?: string }
  placeholder?: { content?: string }
  options?: { text: { content: string }; value: string }[]
  behaviors?: { type: string; value?: Record<string, unknown> }[]
  disabled?: boolean
  columns?: unknown[]
  rows?: Record<string, string>[]
}

const tags = new Set(
  'markdown div hr img img_combination person person_list chart button input select_static multi_select_static select_person multi_select_person select_img date_picker picker_time picker_datetime overflow checker column_set column collapsible_panel interactive_container form table plain_text lark_md standard_icon custom_icon text_tag'.split(
    ' ',
  ),
)

/** Objects with a tag, nested ones included. */
export function listElements(within: unknown): CardElement[] {
  if (Array.isArray(within)) return (within as unknown[]).flatMap(listElements)
  if (typeof within !== 'object' || within === null) return []
  const nested = Object.values(within).flatMap(listElements)
  return 'tag' in within ? [within as CardElement, ...nested] : nested
}

/** Rules of Feishu for the content of a message, in its own words; null when it is accepted. */
export function findProblem(msgType: string, content: string): string | null {
  const parsed = parse(content)
  if (parsed === null) return 'content is not a json string'
  if (msgType !== 'interactive') return null
  const bytes = Buffer.byteLength(content)
  if (bytes > 30 * 1024) return `the card has ${bytes} bytes`
  if (parsed['schema'] !== '2.0') return 'schema V2 is needed'
  const elements = listElements(parsed)
  if (elements.length > 200) return `the card has ${elements.length} elements`
  const unknown = elements.find(({ tag }) => !tags.has(tag))
  if (unknown) return `unknown tag ${unknown.tag}`
  const tables = elements.filter(({ tag }) => tag === 'table')
  if (tables.length > 5) return `the card has ${tables.length} tables`
  if (tables.some(({ columns = [] }) => columns.length > 50)) return 'a table has more than 50 columns'
  for (const { tag, content: words, options = [] } of elements) {
    if (tag === 'markdown' && !words?.trim()) return 'markdown: content is empty'
    if (new Set(options.map(({ value }) => value)).size !== options.length) return `${tag}: option values are not unique`
  }
  const { body } = parsed as { body?: { elements?: unknown[] } }
  return Array.isArray(body?.elements) ? null : 'body.elements is missing'
}

/** Everything that a person reads in a message. */
export function toWords(content: string): string {
  const card = parse(content) ?? {}
  const words = listElements(card).flatMap(({ tag, content: text, columns, rows }) => {
    const cells =
      tag === 'table'
        ? [...(columns as { display_name: string }[]).map((one) => one.display_name), ...(rows ?? []).flatMap((row) => Object.values(row))]
        : []
    return [...(text === undefined ? [] : [decodeEntities(text)]), ...cells]
  })
  return words.join('\n')
}

const decodeEntities = (text: string): string => text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))

export function parse(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
