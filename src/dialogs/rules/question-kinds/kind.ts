import type { Language } from '../../../shapes/language.ts'
import type { Refusal } from '../../../errors.ts'

export type QuestionOption = { value: string; label: string; hint?: string }

/** A field of an item as data: the schemas of the HTTP API, of programs and of models are built from it. */
export type ItemField = {
  type: 'string' | 'number' | 'integer' | 'boolean' | 'options'
  isRequired?: true
  /** Read by models. */
  about: string
}

/** The control a surface draws. The page has one component for each type; terminal and chats choose by it too. */
export type QuestionControl =
  /** One of the options. */
  | { type: 'options'; options: readonly QuestionOption[] }
  /** Several of the options; the value is theirs, one on each line. */
  | { type: 'checks'; options: readonly QuestionOption[]; min: number; max: number }
  | { type: 'date'; min?: string | undefined; max?: string | undefined }
  | {
      type: 'field'
      lines: 'one' | 'many'
      keyboard: 'text' | 'numeric' | 'decimal'
      placeholder?: string | undefined
      /** Shown after the field, such as a unit. */
      suffix?: string | undefined
    }

/**
 * One kind of question. An answer is stored as one string in the form that `check` accepts; `parse` turns typed text into that
 * form and `describe` turns it into text for people and models. `parse(describe(value))` is `value`.
 */
export type QuestionKind<Item> = {
  /** Read by models that choose a kind. */
  about: string
  fields: Readonly<Record<Exclude<keyof Item, 'kind' | 'id' | 'text'>, ItemField>>
  /** The answer is the person's own text, not a choice among the agent's words. It then counts as input of that person. */
  isTyped: boolean
  /** The reason why this item cannot be answered; null when it is well formed. */
  findFault(item: Item & { id: string }): string | null
  check(item: Item & { id: string }, value: string): { refused: Refusal } | null
  /** Null when the text is no answer or could mean two. `today` is an ISO date. */
  parse(item: Item, text: string, today: string): string | null
  describe(item: Item, value: string, language: Language): string
  /** The reason why `check` refuses a value, as a sentence. */
  explain(item: Item, value: string, language: Language): string
  /** Format of a typed answer; empty when any text is accepted. */
  hint(item: Item, language: Language): string
  /** A typed answer that fits, for command lines; empty when anything goes. */
  sample(item: Item): string
  control(item: Item): QuestionControl
}
