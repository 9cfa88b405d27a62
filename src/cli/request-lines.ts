import type { PlatformRequest } from '../ports/channel.ts'
import { plainText } from './plain-text.ts'
import type { Paint } from './terminal.ts'

/** Platform requests as they would be made. */
export const requestLines = (requests: readonly PlatformRequest[], paint: Paint): string[] =>
  requests.flatMap(({ operation, body }) => [
    `  ${paint.cyan(operation)}`,
    ...plainText(JSON.stringify(body, null, 2))
      .split('\n')
      .map((line) => `    ${line}`),
  ])
