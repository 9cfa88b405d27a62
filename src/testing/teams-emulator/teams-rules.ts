/** An activity as a bot sends it. */
export type TeamsActivity = {
  type: string
  text?: string
  textFormat?: string
  attachments?: { contentType: string; content?: unknown }[]
  [field: string]: unknown
}

type Node = { type?: string; [field: string]: unknown }

/** Elements and actions of Adaptive Cards up to version 1.5 that Teams shows. */
const elements = 'TextBlock RichTextBlock TextRun Image ImageSet Container ColumnSet Column FactSet Fact ActionSet Table TableRow TableCell'
const inputs = 'Input.Text Input.Number Input.Date Input.Time Input.Toggle Input.ChoiceSet'
const actions = 'Action.OpenUrl Action.Submit Action.Execute Action.ShowCard Action.ToggleVisibility'
const knownTypes = new Set(`AdaptiveCard ${elements} ${inputs} ${actions}`.split(' '))

/** Rules of Teams that no schema holds, in words; null when the activity is accepted. */
export function findProblem(activity: TeamsActivity): string | null {
  if (activity.type === 'typing') return null
  if (activity.type !== 'message') return `Unknown activity type ${activity.type}`
  if (2 * JSON.stringify(activity).length > 81_920) return 'MessageSizeTooBig'
  const cards = activity.attachments ?? []
  if (cards.length === 0) return activity.text?.trim() ? null : 'Activity must include non empty text or at least one attachment'
  for (const { contentType, content } of cards) {
    if (contentType !== 'application/vnd.microsoft.card.adaptive') return `Unknown attachment type ${contentType}`
    const { type, version } = (content ?? {}) as Node
    if (type !== 'AdaptiveCard' || !/^1\.[0-5]$/.test(String(version))) return 'Adaptive Cards have a version up to 1.5'
    const problem = findCardProblem(listNodes(content))
    if (problem !== null) return problem
  }
  return null
}

function findCardProblem(nodes: readonly Node[]): string | null {
  const ids = nodes.flatMap(({ type, id }) => (type?.startsWith('Input.') ? [String(id)] : []))
  if (new Set(ids).size < ids.length) return 'Input ids must be unique'
  for (const { type = '', ...node } of nodes) {
    if (!knownTypes.has(type)) return `Unknown element ${type}`
    if (type === 'TextBlock' && !String(node['text']).trim()) return 'A TextBlock without text'
    if (type === 'Image' && !String(node['url']).startsWith('https://')) return 'Images are fetched over https'
    const shown = node['actions']
    if (type === 'ActionSet' && (!Array.isArray(shown) || shown.length < 1 || shown.length > 6)) return 'An ActionSet shows up to 6 actions'
  }
  return null
}

/** Every typed object of a card, the fallbacks of actions included. */
export function listNodes(within: unknown): Node[] {
  if (Array.isArray(within)) return (within as unknown[]).flatMap(listNodes)
  if (typeof within !== 'object' || within === null) return []
  const inside = Object.entries(within).flatMap(([key, value]) => (key === 'data' || key === 'msteams' ? [] : listNodes(value)))
  return typeof (within as Node).type === 'string' ? [within as Node, ...inside] : inside
}

/** Everything that a person reads in a message. */
export function toWords({ text = '', textFormat, attachments = [] }: TeamsActivity): string {
  const cards = listNodes(attachments.map(({ content }) => content)).flatMap(({ type, text: words }) =>
    type === 'TextBlock' ? [String(words).replaceAll(/\\([^\w\s])/g, '$1')] : type === 'TextRun' ? [String(words)] : [],
  )
  const bodyText = textFormat === 'xml' ? readXml(text) : text
  return [...(bodyText === '' ? [] : [bodyText]), ...cards].join('\n')
}

const readXml = (text: string): string =>
  text
    .replaceAll('<br/>', '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
