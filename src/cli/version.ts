import { readFileSync } from 'node:fs'

/** The same two levels up from `src/cli` and from `dist/cli`. */
export const version: string = (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string })
  .version
