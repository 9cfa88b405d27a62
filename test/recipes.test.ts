import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'
import { questionKinds } from '../src/dialogs/rules/question.ts'
import { root } from './project-files.ts'

const page = readFileSync(`${root}CONTRIBUTING.md`, 'utf8')
const recipes = new Map(
  [...(page.split('## Recipes')[1]?.split('\n## ')[0] ?? '').matchAll(/^### (.+)\n([\s\S]*?)(?=^### |$(?![\s\S]))/gm)].map(
    ([, name = '', text = '']) => [name.toLowerCase(), text] as const,
  ),
)
const quiz = [...(page.split('## Quiz')[1] ?? '').matchAll(/^\d+\. ([A-Z][a-z ]+):/gm)].map(([, name = '']) => name.toLowerCase())
const answers = JSON.parse(readFileSync(`${root}docs/quiz-answers.json`, 'utf8')) as Record<string, { files: string[]; new?: string[] }>
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`((?:src|test|web|docs|scripts|examples|packages)\/[\w./-]+|package\.json)`/g)].map(([, path = '']) => path)

test('CONTRIBUTING has a recipe for each likely change', () => {
  for (const name of [
    'event',
    'command',
    'route',
    'channel',
    'store',
    'question kind',
    'message block',
    'agent tool',
    'plugin hook',
    'language',
  ])
    assert.ok(recipes.has(name), `no recipe for: ${name}`)
})

test('every file of a recipe exists', (t) => {
  let count = 0
  for (const [name, text] of recipes) {
    const paths = pathsIn(text)
    count += paths.length
    for (const path of paths) assert.ok(existsSync(root + path), `${name}: ${path} does not exist`)
  }
  t.diagnostic(`${count} paths in ${recipes.size} recipes`)
  assert.ok(count > 50)
})

test('the quiz has twelve changes, each with files that exist', () => {
  assert.equal(quiz.length, 12)
  assert.deepEqual(Object.keys(answers).toSorted(), quiz.toSorted())
  for (const [name, { files, new: added = [] }] of Object.entries(answers)) {
    assert.ok(files.length > 0, name)
    for (const file of files) assert.ok(existsSync(root + file), `${name}: ${file} does not exist`)
    for (const file of added) {
      assert.ok(!existsSync(root + file), `${name}: ${file} exists by now`)
      // A new folder stands beside others of its kind.
      assert.ok(existsSync(root + posix.dirname(posix.dirname(file))), `${name}: there is no place for ${file}`)
    }
  }
})

test('every question kind has one file and one test', () => {
  const folder = 'src/dialogs/rules/question-kinds'
  const files = readdirSync(root + folder)
  for (const kind of Object.keys(questionKinds))
    for (const file of [`${kind}.ts`, `${kind}.test.ts`]) assert.ok(files.includes(file), `${folder}/${file} does not exist`)
})
