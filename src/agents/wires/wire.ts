import type { TokenUsage } from '../models/usage.ts'

/** The protocols of models: Chat Completions, OpenAI Responses, Anthropic Messages. */
export const wires = ['chat', 'responses', 'anthropic'] as const
export type Wire = (typeof wires)[number]

/** The parts of a model's reply, independent of the wire and in the order in which the model wrote them. */
export type ModelPart =
  | { type: 'text'; text: string }
  /** Words in which the model declines, in a field of their own. */
  | { type: 'refusal'; text: string }
  /** Reasoning to show. */
  | { type: 'reasoning'; text: string }
  /** Reasoning as the provider wants it back, whole. */
  | { type: 'kept'; data: object }
  /** The words since the last one are one message, in the phase that the provider wants back. */
  | { type: 'said'; phase: string | null }
  /**
   * Whole; `input` is an object, or a text as the model wrote it, so it may be broken JSON. `id` is empty when the provider
   * gave none. `extra` are fields of the call that the provider wants back with it.
   */
  | { type: 'call'; id: string; name: string; input: unknown; extra?: object }
  /** `end` is in the words of the provider; null when the stream merely ended. */
  | { type: 'finish'; end: string | null; usage: TokenUsage }

/** Reads the bytes of one reply. */
export type ReplyReader = {
  /** The server said that nothing more comes; not all of them do. */
  readonly isDone: boolean
  /** Parts in these bytes; null for comments and empty pieces, which only keep the connection open. */
  take(chunk: Buffer): ModelPart[] | null
  /** Parts that are complete only at the end. */
  end(): ModelPart[]
}

export type ModelStream = {
  contentType: string | null
  /** One list for each chunk. An empty list means that bytes arrived which form no complete part yet. */
  parts: AsyncIterable<readonly ModelPart[]>
}

/** Sends one request body. Rejects and throws whatever `modelFailure` can read; ends the connection when `signal` aborts. */
export type OpenWire = (body: Buffer, signal: AbortSignal) => Promise<ModelStream>
