/** Where people write, by the word that events have for it. Platforms are called by their own names. */
export const surfaces: Readonly<Partial<Record<string, string>>> = {
  web: 'page',
  cli: 'terminal',
  api: 'API',
  token: 'API',
  library: 'API',
  build: 'build',
}
