import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { builtInKinds } from './registry.ts'

const src = join(import.meta.dirname, '../..')
const registry = 'chats/channels/registry.ts'

/** The word has other meanings too, such as a line of a chart. */
const wordsOfMoreMeanings = new Set(['line'])
/** Where the default of a setting is a platform. */
const defaults = new Set(['plugins/reply-end-controls/plugin-config.ts'])

/** Files of the product that name a platform in code, beside its folder and the registry. Comments, texts and emulators may. */
function listNamers(kind: string): string[] {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|\/test\//.test(file),
  )
  const name = new RegExp(
    `channels/${kind}/|\\b${kind}(?:Kind|Config|Limits|Renderer)|${wordsOfMoreMeanings.has(kind) ? '^$' : `'${kind}'`}`,
  )
  return files.filter((file) => {
    if (file.startsWith(`chats/channels/${kind}/`) || file === registry || defaults.has(file)) return false
    if (/^(testing|words|errors)\//.test(file)) return false
    return name.test(withoutComments(readFileSync(join(src, file), 'utf8')))
  })
}

const withoutComments = (text: string): string => text.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')

test('a channel touches no file outside its folder, and a few lines of the registry', (t) => {
  const kinds = Object.keys(builtInKinds)
  assert.equal(kinds.length, 7)
  const namers = Object.fromEntries(kinds.map((kind) => [kind, listNamers(kind)]).filter(([, files]) => files?.length))
  t.diagnostic(JSON.stringify(namers))
  assert.deepEqual(namers, {})
})
