import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { declarations } from '../dialogs/rules/prompt/tool-declarations.ts'
import { agentTexts, dialogTexts, promptTexts, systemTexts } from './index.ts'

/** Every text under its path. A function is called with {a}, {b}, {c} … */
function listTexts(value: unknown, path: string): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') {
    const names = Array.from({ length: value.length }, (_, at) => `{${String.fromCharCode(97 + at)}}`)
    return [[path, String(Reflect.apply(value, undefined, names))]]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => listTexts(inner, `${path}.${key}`))
}

const dialogKeys = [
  'workStopped',
  'callStopped',
  'tooDeep',
  'tooManySides',
  'requestsPaused',
  'denied',
  'deniedByRule',
  'isProtected',
  'tooManyApprovals',
  'badArguments',
  'withdrawn',
  'timedOut',
  'header',
  'reasoningHeader',
  'now',
] as const

const texts = (['en', 'zh'] as const).flatMap((language) => [
  ...listTexts(systemTexts[language], `${language}.system`),
  ...listTexts(promptTexts[language], `${language}.prompt`),
  ...dialogKeys.flatMap((key) => listTexts(dialogTexts[language][key], `${language}.dialogs.${key}`)),
  ...(['given-up', 'final'] as const).map((why): [string, string] => [
    `${language}.dialogs.requestFailed.${why}`,
    dialogTexts[language].requestFailed('{a}', '{b}', { why }),
  ]),
  [`${language}.dialogs.requestFailed.timeout`, dialogTexts[language].requestFailed('{a}', '{b}', { why: 'timeout', minutes: 30 })],
  [`${language}.agents.noSandbox`, agentTexts[language].noSandbox],
])

/** Models are tested against these sentences: they change here and in the dictionaries together, and never by accident. */
test('texts that models read are the exact ones', () => {
  const exact = JSON.parse(readFileSync(new URL('exact-model-texts.json', import.meta.url), 'utf8')) as object
  assert.ok(texts.length > 150, `${texts.length} texts`)
  assert.deepEqual({ texts: Object.fromEntries(texts), declarations }, exact)
})
