import type { DrySend } from '../shapes/messaging.ts'
import { plainText } from './plain-text.ts'
import type { Paint } from './terminal.ts'

/** Platform requests as they would be made. */
export const requestLines = (requests: DrySend['requests'], paint: Paint): string[] =>
  requests.flatMap(({ operation, covers: _covers, body = {}, ...rest }) => [
    `  ${paint.cyan(operation)}`,
    ...plainText(JSON.stringify(Object.keys(rest).length > 0 ? { ...rest, body } : body, null, 2))
      .split('\n')
      .map((line) => `    ${line}`),
  ])
