/**
 * Who may import whom. A plain name allows everything, `type x` types alone, `lazy x` types and `import()`.
 * `errors` may be imported by all. docs/ARCHITECTURE.md shows this table; test/docs.test.ts compares them.
 */
export const mayImport: Record<string, readonly string[]> = {
  errors: [],
  authority: [],
  dialog: ['authority'],
  build: ['authority'],
  message: [],
  ports: ['type authority', 'type dialog', 'type build', 'type message', 'type client'],
  presentation: ['message', 'ports'],
  channels: ['message', 'ports'],
  delivery: ['message', 'presentation', 'ports', 'streams'],
  inbound: ['type dialog', 'message', 'ports', 'streams'],
  plugins: ['authority', 'message', 'ports', 'streams', 'config'],
  messaging: [
    'authority',
    'dialog',
    'message',
    'ports',
    'streams',
    'views',
    'presentation',
    'delivery',
    'inbound',
    'channels',
    'type config',
    'type client',
  ],
  streams: ['ports'],
  access: ['authority', 'ports', 'type client'],
  config: ['authority', 'ports', 'type dialog'],
  store: ['ports'],
  'store/memory': ['ports', 'store'],
  'store/sqlite': ['ports', 'store'],
  views: ['type authority', 'dialog', 'build', 'message', 'ports', 'type streams', 'type client'],
  agents: ['authority', 'dialog', 'build', 'message', 'ports', 'type config'],
  driver: ['authority', 'dialog', 'message', 'ports', 'streams', 'agents'],
  building: ['type authority', 'dialog', 'build', 'ports', 'streams', 'views', 'agents', 'type client'],
  control: ['authority', 'build', 'dialog', 'driver', 'ports', 'streams', 'views', 'type client'],
  parley: ['authority', 'dialog', 'message', 'ports', 'streams', 'views', 'control', 'type driver', 'type client'],
  bridges: ['build', 'type client', 'type ports'],
  server: ['authority', 'dialog', 'build', 'message', 'ports', 'views', 'access', 'client', 'bridges'],
  client: ['type authority', 'dialog', 'build', 'type message', 'type ports'],
  cli: [
    'authority',
    'dialog',
    'build',
    'message',
    'client',
    'config',
    'type ports',
    'lazy start',
    'lazy preview',
    'lazy server',
    'lazy store/sqlite',
    'lazy agents',
    'lazy channels',
    'lazy plugins',
  ],
  testing: ['type authority', 'dialog', 'build', 'message', 'ports', 'streams', 'store/memory', 'agents'],
  preview: ['message', 'presentation', 'channels', 'ports'],
  'once-names': ['dialog', 'type build', 'ports', 'streams', 'views'],
  rebuild: ['ports', 'access', 'streams', 'views', 'delivery', 'inbound', 'plugins', 'messaging'],
  runtime: ['*'],
  start: ['*'],
  index: ['*'],
  web: ['client', 'message'],
}

/** Packages that belong to one part, and Node's own modules where they matter. Everything else is free. */
export const packageHomes: { package: RegExp; may: RegExp; lazy?: boolean; why: string }[] = [
  { package: /^node:sqlite$/, may: /^src\/store\/sqlite\//, why: 'only one store knows SQLite' },
  {
    package: /^(ai|@ai-sdk\/.*)$/,
    may: /^src\/agents\/(runtimes\/|model-check)/,
    lazy: true,
    why: 'a model SDK is loaded when a model is used',
  },
  {
    package: /^@modelcontextprotocol\/sdk/,
    may: /^src\/agents\/mcp\//,
    lazy: true,
    why: 'an MCP server is reached when one is configured',
  },
  {
    package: /^grammy/,
    may: /^src\/(channels\/telegram\/client|plugins\/reply-end-controls\/)/,
    lazy: true,
    why: 'a platform is loaded when it is used',
  },
  {
    package: /^@ag-ui\//,
    may: /^src\/bridges\/ag-ui\//,
    lazy: true,
    why: 'a foreign protocol is loaded when somebody speaks it',
  },
  { package: /^(hono|@hono\/.*|ws)$/, may: /^src\/(server|testing)\//, why: 'HTTP stays in the server' },
  { package: /^(commander|@clack\/.*|@bomb\.sh\/.*|picocolors|string-width)$/, may: /^src\/cli\//, why: 'the terminal stays in the CLI' },
  { package: /^yaml$/, may: /^src\/(config|cli)\//, why: 'one place reads and writes parley.yaml' },
  { package: /^(react|react-dom|wouter|virtua|marked|vite|@vitejs\/.*)(\/.*)?$/, may: /^web\//, why: 'the page is built apart' },
  {
    package: /^(fast-check|@playwright\/.*|playwright.*|undici|@axe-core\/.*)$/,
    may: /^(bench|test)\/|^src\/testing\//,
    why: 'not installed with the published package',
  },
  { package: /^unbash$/, may: /^src\/authority\/subjects\/shell-syntax\.ts$/, why: 'one file knows the shell parser' },
  {
    package: /^(?!\.)/,
    may: /^(?!src\/(dialog|build|message|client|authority)\/)/,
    why: 'the pure core and the client run in any browser: no package, nothing of Node',
  },
]

/** The table as docs/ARCHITECTURE.md shows it. */
export function importTable(): string {
  const rows = Object.entries(mayImport).map(
    ([part, rules]) =>
      `| ${part} | ${rules.length === 0 ? 'nothing' : rules.map((rule) => (rule === '*' ? 'everything' : rule)).join(', ')} |`,
  )
  return `| part | may import |\n|---|---|\n${rows.join('\n')}\n`
}
