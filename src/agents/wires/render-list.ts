import type { ModelPrompt } from '../../ports/agent-runtime.ts'
import type { Language } from '../../shapes/language.ts'
import type { PromptItem } from '../../dialogs/rules/prompt/prompt-items.ts'
import { renderAnthropic } from '../../dialogs/rules/prompt/render-anthropic.ts'
import { renderChat } from '../../dialogs/rules/prompt/render-chat.ts'
import { renderResponses } from '../../dialogs/rules/prompt/render-responses.ts'
import type { Profile } from '../../dialogs/rules/prompt/wires.ts'
import { toCallId } from '../models/call-ids.ts'
import type { ModelFamily } from '../models/families.ts'
import type { WireProfile } from '../models/profiles.ts'
import type { WireList } from './build-request.ts'
import type { RenderCache } from './render-cache.ts'
import type { Wire } from './wire.ts'

const renderers: Record<Wire, (items: readonly PromptItem[], profile: Profile) => object[]> = {
  chat: renderChat,
  responses: renderResponses,
  anthropic: renderAnthropic,
}

export type Rendering = {
  wire: Wire
  profile: WireProfile
  family: ModelFamily | null
  /** The model whose reasoning goes back; null drops all of it. */
  maker: string | null
  language: Language
  vision: boolean
}

/** The prompt of a dialog in the elements of a wire. */
export function renderList(
  { epoch, system, tools, items, cachedItems }: ModelPrompt,
  rendering: Rendering,
  dialog: string,
  cache: RenderCache,
): WireList {
  const { wire, profile, family, maker, language, vision } = rendering
  const layout: Profile = {
    maker: maker ?? '',
    language,
    systemRole: profile.notes === 'developer' ? 'developer' : 'system',
    notesRole: profile.notes,
    alternate: profile.alternate,
    bridge: profile.bridge,
    reasoningContent: wire === 'chat' && family?.replay === 'reasoning_content',
    vision,
  }
  const render = (part: readonly PromptItem[]): object[] => renderers[wire](withIds(part, profile), layout)
  // The previous request ended with a batch; an output follows it. Then both halves can be rendered on their own.
  if (cachedItems <= 0 || items[cachedItems]?.kind !== 'output')
    return { system, tools, elements: render(items), texts: [], cachedElements: 0 }
  const of = { wire, callIds: profile.callIds, ...layout }
  const { elements, texts } = cache.render({ dialog, epoch, rendering: of }, items, cachedItems, render)
  return { system, tools, elements: [...elements, ...render(items.slice(cachedItems))], texts, cachedElements: elements.length }
}

/** Ids of calls in the form that the server takes. An id decides its own form, so it never changes. */
function withIds(items: readonly PromptItem[], { callIds }: WireProfile): readonly PromptItem[] {
  if (callIds === 'common') return items
  return items.map((item): PromptItem => {
    if (item.kind === 'result') return { ...item, call: toCallId(callIds, item.call) }
    if (item.kind !== 'output') return item
    return { ...item, parts: item.parts.map((part) => (part.type === 'call' ? { ...part, call: toCallId(callIds, part.call) } : part)) }
  })
}
