import { isOpenAiAddress, type WireProfile } from './profiles.ts'
import { joinFaultText, type ProviderFault } from './provider-fault.ts'

/** Fields that servers refuse although their protocol has them. */
export const adjustableFields = ['max_completion_tokens', 'max_tokens', 'temperature', 'reasoning_effort', 'prompt_cache_key'] as const

export type AdjustableField = (typeof adjustableFields)[number]

/** A change that makes a refused request acceptable. */
export type RequestChange =
  | { kind: 'swap-field'; from: AdjustableField; to: AdjustableField }
  | { kind: 'drop-field'; field: AdjustableField }
  /** The model takes tools only at the Responses endpoint. */
  | { kind: 'use-responses' }
  /** The same where Responses is not offered; raises a problem, because the model thinks less. */
  | { kind: 'no-reasoning-effort' }
  /** Profile flags `alternate` and `bridge`. */
  | { kind: 'strict-roles' }
  | { kind: 'notes-as-user' }
  /** Images are named in words. */
  | { kind: 'no-images' }
  /** Reasoning of earlier outputs is not replayed. */
  | { kind: 'drop-reasoning' }

export type RequestFacts = {
  wire: 'chat' | 'responses' | 'anthropic'
  address: string
  /** Top-level fields of the request body. */
  fields: readonly string[]
  profile: Pick<WireProfile, 'notes' | 'alternate' | 'bridge'>
  /** The list holds reasoning of earlier outputs. */
  hasReasoning: boolean
  /** The list holds images. */
  hasImages: boolean
  /** Changes already made for this model; none is made twice. */
  tried: readonly RequestChange[]
}

/** All but dropped reasoning are facts about the model, and kept for its later requests. */
export const isLasting = ({ kind }: RequestChange): boolean => kind !== 'drop-reasoning'

/** The change with which the request is worth repeating, or null. */
export function findChange(fault: ProviderFault, facts: RequestFacts): RequestChange | null {
  if (fault.status !== null && !readStatuses.has(fault.status)) return null
  const text = joinFaultText(fault)
  const rules = fault.status === 500 ? [dropImages, fixRoles] : fault.status === 404 || fault.status === 415 ? [dropImages] : allRules
  for (const rule of rules) {
    const change = rule(text, facts, fault)
    if (change !== null && !facts.tried.some((tried) => isSame(tried, change))) return change
  }
  return null
}

const isSame = (one: RequestChange, other: RequestChange): boolean => JSON.stringify(one) === JSON.stringify(other)

type Rule = (text: string, facts: RequestFacts, fault: ProviderFault) => RequestChange | null

const moveToResponses: Rule = (text, { wire, address }) => {
  if (wire !== 'chat' || !/\/v1\/responses\b/i.test(text)) return null
  return isOpenAiAddress(address) ? { kind: 'use-responses' } : { kind: 'no-reasoning-effort' }
}

const refusedField =
  /unsupported|unknown[ _]parameter|unrecognized|extra[ _](?:inputs|fields|forbidden)|not (?:be )?(?:supported|permitted|allowed)|does not support|only the default|may only be set|deprecated|unexpected keyword/i

const swaps: Partial<Record<AdjustableField, AdjustableField>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
}

const fixField: Rule = (text, { wire, fields, tried }, { param }) => {
  if (!refusedField.test(text)) return null
  const present = adjustableFields.filter((field) => fields.includes(field))
  const field = present.find((each) => each === param) ?? present.find((each) => names(text, each))
  if (field === undefined) return null
  const to = swaps[field]
  if (to === undefined) return { kind: 'drop-field', field }
  // Anthropic requires `max_tokens`; where both fields were refused, the server's own bound has to do.
  if (wire === 'anthropic') return null
  const isSwapped = tried.some((change) => change.kind === 'swap-field' && change.to === field)
  return isSwapped ? { kind: 'drop-field', field } : { kind: 'swap-field', from: field, to }
}

/** True when the text holds the name as a word: `max_tokens` is not in `max_tokens_limit`. */
function names(text: string, field: string): boolean {
  for (let at = text.indexOf(field); at !== -1; at = text.indexOf(field, at + 1))
    if (!/\w/.test(text[at - 1] ?? '') && !/\w/.test(text[at + field.length] ?? '')) return true
  return false
}

const roleFault = /alternate|after role|expected|message[ _]order|invalid|unknown variant|not one of|(?:un|not )supported|must be/i

const fixRoles: Rule = (text, { profile }, { status }) => {
  if (!/\broles?\b/i.test(text) || !roleFault.test(text)) return null
  // Chat templates fail with status 500, and only about the order of roles.
  if (status === 500 && !/alternate|after role/i.test(text)) return null
  const isOrder = /alternate|after role|message[ _]order/i.test(text)
  if (!isOrder && profile.notes !== 'user' && names(text.toLowerCase(), profile.notes)) return { kind: 'notes-as-user' }
  return isOrder && !(profile.alternate && profile.bridge) ? { kind: 'strict-roles' } : null
}

const dropReasoning: Rule = (text, { hasReasoning }) => {
  // These ask for more reasoning, not for less.
  if (!hasReasoning || /must be passed back|missing a `?thought_signature/i.test(text)) return null
  return /thinking|signature|encrypted[ _]content|reasoning[ _](?:content|item)|'reasoning'/i.test(text) ? { kind: 'drop-reasoning' } : null
}

/** Servers put it in many ways; each names images, or the type of the part. */
const imageFault =
  /(?:image|vision|multi-?modal|image_url|input_image)[^.]{0,80}(?:not|un|only|missing|no )[^.]{0,40}(?:support|allow|accept|available|multimodal|vision|data|certain|variant|expected)|(?:not|no|un|n't)[^.]{0,60}(?:support|accept|allow|multimodal|variant|handle)[^.]{0,60}(?:image|vision|multimodal)|mmproj|content must be a string/i

const dropImages: Rule = (text, { hasImages }) => (hasImages && imageFault.test(text) ? { kind: 'no-images' } : null)

const allRules: readonly Rule[] = [moveToResponses, fixField, dropImages, fixRoles, dropReasoning]

/** 404 and 415 say that no server behind a router takes images, 500 comes from chat templates and local servers. */
const readStatuses: ReadonlySet<number> = new Set([400, 404, 415, 422, 500])

/** The request body with the changed fields. Changes that concern the list or the endpoint do nothing here. */
export function changeFields(body: Readonly<Record<string, unknown>>, changes: readonly RequestChange[]): Record<string, unknown> {
  const changed = { ...body }
  for (const change of changes) {
    if (change.kind === 'drop-field') delete changed[change.field]
    else if (change.kind === 'no-reasoning-effort') changed['reasoning_effort'] = 'none'
    else if (change.kind === 'swap-field' && change.from in changed) {
      changed[change.to] = changed[change.from]
      delete changed[change.from]
    }
  }
  return changed
}
