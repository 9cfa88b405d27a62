import type { ErrorWords } from '../errors.ts'
import { fillSentence } from './fill-sentence.ts'
import type { Details } from './refuse.ts'

/** The errors that a client raises itself. They are apart from the catalogue, so that a page can load without all of it. */
export const clientErrors = {
  not_found: ['refused', 404, 'There is nothing at {path}.', 'The paths of the API are listed at /v1/openapi.json.'],
  server_unreachable: ['failed', 503, 'No Parley server answers at {url}.', 'Start one: parley serve'],
} as const

export function describeClientError(code: keyof typeof clientErrors, details: Details): ErrorWords {
  const [, , message, hint] = clientErrors[code]
  return { code, message: fillSentence(message, details), hint: fillSentence(hint, details) }
}
