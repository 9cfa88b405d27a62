import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import { mayImport, packageHomes } from './import-rules.ts'
import { type ProjectFile, projectFiles } from './project-files.ts'

type Import = { target: string; how: 'value' | 'type' | 'lazy' }

function findImports(text: string): Import[] {
  const matches: Import[] = []
  for (const [, type, names, target] of text.matchAll(/^(?:import|export)\s+(type\s+)?(?:([^'"=();]*?)\s+from\s+)?['"]([^'"]+)['"]/gm)) {
    const inside = /\{([\s\S]*)\}/.exec(names ?? '')?.[1]
    const onlyTypes =
      inside !== undefined &&
      !/^\s*\w+\s*,/.test(names ?? '') &&
      inside.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type '))
    matches.push({ target: target ?? '', how: type !== undefined || onlyTypes ? 'type' : 'value' })
  }
  // `import('x').Y` in a type is a type; `await import('x')` and `() => import('x')` load it when it is needed.
  for (const [, target, rest] of text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)(\.[A-Z])?/g))
    matches.push({ target: target ?? '', how: rest ? 'type' : 'lazy' })
  return matches
}

/** Folders whose subfolders have rows of their own. */
const split = new Set(['app', 'builds', 'chats', 'dialogs', 'plugins', 'server', 'shapes', 'store', 'worlds'])
const apart = new Set(['app/config', 'server/auth'])

/** The row of the table a file belongs to: its folder, and the subfolder where that has a row of its own. */
function getArea(path: string): string {
  if (path.startsWith('web/')) return 'web'
  if (path.startsWith('packages/')) return path.split('/').slice(0, 2).join('/')
  const [, first = '', second = ''] = path.split('/')
  const inner = `${first}/${second}`
  if (split.has(first) && !second.endsWith('.ts') && (first !== 'app' && first !== 'server' ? second !== 'test' : apart.has(inner)))
    return inner
  return first.replace(/\.ts$/, '')
}

/** Every import that the table does not allow, in words. */
function violations(files: readonly ProjectFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const area = getArea(path)
    const rules = mayImport[area]
    if (!rules) return [`${path}: "${area}" is not in the table of test/import-rules.ts`]
    return findImports(text).flatMap(({ target, how }) => {
      if (!target.startsWith('.')) return packageFault(path, target, how)
      const other = getArea(posix.join(posix.dirname(path), target))
      const ways = { value: [other], type: [other, `type ${other}`, `lazy ${other}`], lazy: [other, `lazy ${other}`] }[how]
      if (other === area || other === 'errors' || rules.includes('*') || ways.some((way) => rules.includes(way))) return []
      return [`${path}: ${area} may not import ${other} (${how} of ${target})`]
    })
  })
}

function packageFault(path: string, target: string, how: Import['how']): string[] {
  const home = packageHomes.find((one) => one.package.test(target))
  if (!home || how === 'type') return []
  if (!home.may.test(path)) return [`${path}: ${target} does not belong here: ${home.why}`]
  return home.lazy && how !== 'lazy' ? [`${path}: ${target} must come by import(): ${home.why}`] : []
}

/** The files of the package: without tests and without the folders named `test`. */
const shipped = (): ProjectFile[] =>
  projectFiles(['src', 'packages', 'web/src'], /(?<!\.test)\.tsx?$/).filter(({ path }) => !path.includes('/test/'))

test('imports go only where the table allows', (t) => {
  const files = shipped()
  const count = files.reduce((sum, { text }) => sum + findImports(text).length, 0)
  t.diagnostic(`${files.length} files, ${count} imports`)
  assert.ok(files.length > 20 && count > 50, `only ${files.length} files with ${count} imports were found`)
  assert.deepEqual(violations(files), [])
})

test('src and packages import nothing from examples, tests or benchmarks', () => {
  const outside = shipped().flatMap(({ path, text }) =>
    findImports(text).flatMap(({ target }) => {
      const file = target.startsWith('.') ? posix.join(posix.dirname(path), target) : ''
      return /^(examples|test|bench|scripts)\//.test(file) ? [`${path}: ${target}`] : []
    }),
  )
  assert.deepEqual(outside, [])
})

test('the table grants only what is used', () => {
  const used = new Map<string, Set<string>>()
  for (const { path, text } of shipped())
    for (const { target, how } of findImports(text)) {
      if (!target.startsWith('.')) continue
      const area = getArea(path)
      const other = getArea(posix.join(posix.dirname(path), target))
      used.set(area, (used.get(area) ?? new Set()).add(how === 'value' ? other : `${how} ${other}`))
    }
  const isUsed = (area: string, rule: string): boolean => {
    const [way, other] = rule.includes(' ') ? rule.split(' ') : ['', rule]
    return used.get(area)?.has(way === '' ? (other ?? '') : `${way} ${other}`) ?? false
  }
  const unused = Object.entries(mayImport).flatMap(([area, rules]) =>
    rules.flatMap((rule) => (rule === '*' || isUsed(area, rule) ? [] : [`${area}: ${rule}`])),
  )
  assert.deepEqual(unused, [])
  const areas = new Set(shipped().map(({ path }) => getArea(path)))
  assert.deepEqual(
    Object.keys(mayImport).filter((area) => !areas.has(area)),
    [],
  )
})

test('a planted violation of each kind is found', () => {
  const planted: [path: string, text: string, found: RegExp | null][] = [
    ['src/dialogs/rules/x.ts', "import { a } from '../driver/a.ts'", /dialogs\/rules may not import dialogs\/driver/],
    ['src/dialogs/rules/x.ts', "import type { A } from '../../ports/store.ts'", /dialogs\/rules may not import ports/],
    ['src/dialogs/rules/x.ts', "import { randomUUID } from 'node:crypto'", /run in any browser/],
    ['src/client/x.ts', "import { readFile } from 'node:fs'", /run in any browser/],
    ['src/authority/x.ts', "import { createHash } from 'node:crypto'", /run in any browser/],
    ['src/authority/x.ts', "import { parse } from 'unbash'", /one file knows the shell parser/],
    ['src/authority/subjects/shell-syntax.ts', "import { parse } from 'unbash'", null],
    ['src/client/x.ts', "export { feed } from '../streams/feed.ts'", /client may not import streams \(value/],
    ['src/client/x.ts', "import {\n  type A,\n  type B,\n} from '../dialogs/rules/events.ts'", null],
    ['src/dialogs/rows/x.ts', "import { DatabaseSync } from 'node:sqlite'", /only one store knows SQLite/],
    ['src/store/memory/x.ts', "import { a } from '../sqlite/a.ts'", /store\/memory may not import store\/sqlite/],
    ['src/agents/mcp/x.ts', "const { Client } = await import('@modelcontextprotocol/sdk/client')", null],
    ['src/agents/mcp/x.ts', "import type { Client } from '@modelcontextprotocol/sdk/client'", null],
    ['src/agents/mcp/x.ts', "import { Client } from '@modelcontextprotocol/sdk/client'", /must come by import\(\)/],
    ['src/dialogs/driver/x.ts', "const { Client } = await import('@modelcontextprotocol/sdk/client')", /does not belong here/],
    ['src/cli/commands/x.ts', "import { start } from '../../app/serve.ts'", /cli may not import app \(value/],
    ['src/cli/commands/x.ts', "const { start } = await import('../../app/serve.ts')", null],
    ['web/src/x.tsx', "import { store } from '../../src/store/memory/store.ts'", /web may not import store\/memory/],
    ['src/somewhere/x.ts', '', /not in the table/],
  ]
  for (const [path, text, found] of planted) {
    const [first, ...rest] = violations([{ path, text }])
    assert.deepEqual(rest, [])
    if (found === null) assert.equal(first, undefined, text)
    else assert.match(first ?? '', found, text)
  }
})
