import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ProjectFile, projectFiles } from './project-files.ts'
import { requirements } from './requirements.ts'

const citation = /\[([a-z0-9]+(?::[a-z0-9-]+)+)\]/g

/** Which ids the tests cite, and where. Only names of tests count: a citation in a comment proves nothing. */
function citations(files: readonly ProjectFile[]): Map<string, string[]> {
  const cited = new Map<string, string[]>()
  for (const { path, text } of files) {
    for (const [, name = ''] of text.matchAll(/\b(?:test|it)\(\s*(['"`](?:\\.|[^\\])*?['"`]),/g)) {
      for (const [, id = ''] of name.matchAll(citation)) cited.set(id, [...(cited.get(id) ?? []), path])
    }
  }
  return cited
}

test('every requirement is cited by a test, and every citation is a requirement', (t) => {
  const files = projectFiles(['src', 'packages', 'test', 'web', 'examples', 'bench'], /\.test\.tsx?$/).filter(
    ({ path }) => path !== 'test/requirements.test.ts',
  )
  const cited = citations(files)
  const ids = new Set(requirements.map(({ id }) => id))
  t.diagnostic(`${ids.size} requirements, ${[...cited.values()].flat().length} citations`)
  assert.ok(ids.size > 100)
  assert.equal(ids.size, requirements.length, 'an id is used twice')
  assert.deepEqual(
    requirements.filter(({ id }) => !cited.has(id)).map(({ id, behaviour, source }) => `${source} ${id}: ${behaviour}`),
    [],
    'no test cites these',
  )
  assert.deepEqual(
    [...cited].filter(([id]) => !ids.has(id)).map(([id, paths]) => `${paths.join()} cites ${id}`),
    [],
    'there are no such requirements',
  )
})

test('each requirement is one sentence with an id of two or more parts', () => {
  for (const { id, behaviour, source } of requirements) {
    assert.match(`[${id}]`, new RegExp(`^${citation.source}$`))
    assert.match(behaviour, /\S.*\.$/)
    assert.match(source, /^dialogs §1\.\d+$/)
  }
})

test('a citation counts in the name of a test alone', () => {
  const text = "test('does it [a:b] [c:d-e]', () => {})\n// test [x:y]\nconst z = '[q:r]'"
  assert.deepEqual([...citations([{ path: 'p', text }]).keys()], ['a:b', 'c:d-e'])
})
