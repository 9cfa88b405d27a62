import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The files of a small plugin that works, with a test: something to change, not something to read first. */
export function newPlugin(folder: string, name: string): { written: string[] } | { taken: true } {
  if (existsSync(folder) && readdirSync(folder).length > 0) return { taken: true }
  mkdirSync(folder, { recursive: true })
  const files: Record<string, string> = { 'package.json': getPackage(name), 'plugin.js': makePlugin(name), 'plugin.test.js': getTest(name) }
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
  return { written: Object.keys(files) }
}

const getPackage = (name: string): string =>
  `${JSON.stringify({ name, version: '0.1.0', type: 'module', exports: './plugin.js', scripts: { test: 'node --test' } }, null, 2)}\n`

const makePlugin = (name: string): string => `/**
 * Says under each reply how many words it has, and remembers the longest one.
 *
 * @type {import('parley-runtime').Plugin<{ from: number }>}
 */
const plugin = {
  name: '${name}',
  version: '0.1.0',
  api: 1,
  about: 'Says under each reply how many words it has.',
  // Used where parley.yaml sets nothing.
  defaults: { from: 1 },
  checkConfig: (config) => (Number.isInteger(config.from) ? { config } : { fault: 'from: a whole number of words' }),

  setUp(host, config) {
    return {
      async prepareReply({ message }) {
        const words = (message.text ?? '').split(/\\s+/).filter((word) => word !== '').length
        if (words < config.from) return null
        await remember(host.storage, words)
        const blocks = [...(message.presentation?.blocks ?? []), { type: 'context', text: \`\${words} words\` }]
        return { ...message, presentation: { ...message.presentation, blocks } }
      },
    }
  },
}

export default plugin

/** Others may write at the same moment: read again until it was us. */
async function remember(storage, words) {
  for (;;) {
    const { value, rev } = (await storage.get('longest')) ?? { value: 0, rev: 0 }
    if (value >= words || (await storage.put('longest', words, rev))) return
  }
}
`

const getTest = (name: string): string => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import plugin from './plugin.js'

/** All of Parley that a plugin sees, kept in memory. */
function host() {
  const documents = new Map()
  return {
    storage: {
      get: async (key) => documents.get(key) ?? null,
      async put(key, value, rev) {
        if ((documents.get(key)?.rev ?? 0) !== rev) return false
        documents.set(key, { value, rev: rev + 1 })
        return true
      },
      keys: async () => [...documents.keys()],
    },
    log: () => {},
    clock: { now: () => 0, after: () => () => {} },
    secret: (purpose) => \`secret of \${purpose}\`,
    stripControls: async () => {},
    send: async () => ({ delivery: 'dlv_1' }),
    edit: async () => {},
    say: async () => {},
  }
}

test('${name} counts the words of a reply and remembers the longest', async () => {
  const here = host()
  const { prepareReply } = await plugin.setUp(here, plugin.defaults)
  const { presentation } = await prepareReply({ message: { text: 'three words here' } })
  assert.deepEqual(presentation.blocks, [{ type: 'context', text: '3 words' }])
  await prepareReply({ message: { text: 'one' } })
  assert.deepEqual(await here.storage.get('longest'), { value: 3, rev: 1 })
})

test('a setting that makes no sense is refused in words', () => {
  assert.deepEqual(plugin.checkConfig({ from: 'many' }), { fault: 'from: a whole number of words' })
})
`
