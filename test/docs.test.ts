import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'
import { rows as commandRows } from '../src/cli/table.ts'
import { readConfig } from '../src/config/load.ts'
import { authorityPage } from './authority-page.ts'
import { errorsPage, writtenByHand } from './errors-page.ts'
import { importTable } from './import-rules.ts'
import { type ProjectFile, projectFiles, root } from './project-files.ts'
import { words } from './words.ts'

const read = (path: string): string => readFileSync(root + path, 'utf8')
const rootFiles = readdirSync(root).filter((name) => /\.(md|txt|json|jsonc|yaml)$/.test(name) && name !== 'package-lock.json')
const pages = projectFiles(['docs', ...rootFiles], /\.(md|txt)$/)
const fences = (text: string): { info: string; code: string }[] =>
  [...text.matchAll(/^```([^\n]*)\n([\s\S]*?)^```/gm)].map(([, info = '', code = '']) => ({ info: info.trim(), code }))
const prose = (text: string): string => text.replaceAll(/^```[\s\S]*?^```/gm, '')
const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

function deadLinks({ path, text }: ProjectFile): string[] {
  return [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^[a-z]+:/.test(link)) return []
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? path : posix.join(posix.dirname(path), file)
    if (!existsSync(root + target)) return [`${path}: ${link} does not exist`]
    const headings = anchor === undefined ? [] : [...read(target).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => slug(heading))
    return anchor === undefined || headings.includes(anchor) ? [] : [`${path}: ${link} has no such heading`]
  })
}

function deadPaths({ path, text }: ProjectFile): string[] {
  const named = [...prose(text).matchAll(/`((?:src|test|web|docs|scripts|examples|bench|\.ci)\/[\w./-]*)`/g)].map(([, name = '']) => name)
  return named.filter((name) => !existsSync(root + name)).map((name) => `${path}: ${name} does not exist`)
}

function deadCommands({ path, text }: ProjectFile): string[] {
  const lines = [
    ...fences(text).flatMap(({ code }) => code.split('\n')),
    ...[...prose(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code),
  ]
  const paths = commandRows.map((row) => row.path)
  const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts)
  return lines.flatMap((line) => {
    const [, first = '', second = ''] =
      /^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:npm run (?:-s )?parley -- |parley )([a-z]+)(?: ([a-z]+))?/.exec(line.trim()) ?? []
    if (first !== '' && !paths.includes(first) && !paths.includes(`${first} ${second}`))
      return [`${path}: there is no command: parley ${first} ${second}`.trimEnd()]
    const script = /^npm run (?:-s )?([\w:-]+)/.exec(line.trim())?.[1]
    return script === undefined || scripts.includes(script) ? [] : [`${path}: there is no npm run ${script}`]
  })
}

test('links, paths and commands in the documents exist', (t) => {
  t.diagnostic(`${pages.length} pages`)
  assert.ok(pages.length > 20, `only ${pages.length} pages were found`)
  assert.deepEqual(
    pages.flatMap((page) => [...deadLinks(page), ...deadPaths(page), ...deadCommands(page)]),
    [],
  )
})

test('what the code says about the documents is so', () => {
  const known = pages.map(({ path }) => path)
  const cited = projectFiles(['src', 'web/src', 'scripts'], /\.(ts|tsx|mjs)$/).flatMap(({ path, text }) =>
    [...text.matchAll(/\bdocs\/[\w./-]*\w/g)].map(([name]) => ({ path, name })),
  )
  assert.ok(cited.length > 3)
  // A decision may be cited by its number alone.
  assert.deepEqual(
    cited.filter(({ name }) => !known.some((page) => page.startsWith(name))),
    [],
  )
})

test('a dead link, path and command are each found', () => {
  const page = { path: 'docs/x.md', text: '[a](./nowhere.md) [b](../README.md#no-such) `src/no-such.ts`\n```sh\nparley fly\n```\n' }
  assert.equal(deadLinks(page).length, 2)
  assert.equal(deadPaths(page).length, 1)
  assert.equal(deadCommands(page).length, 1)
})

test('settings in the documents fit the schema', () => {
  const blocks = pages.flatMap(({ path, text }) =>
    fences(text)
      .filter(({ info }) => info === 'yaml')
      .map(({ code }) => ({ path, code })),
  )
  assert.ok(blocks.length > 2)
  const env = {
    PARLEY_SECRET: 's'.repeat(32),
    ANTHROPIC_API_KEY: 'key',
    TELEGRAM_TOKEN: '1:token',
    TELEGRAM_WEBHOOK_SECRET: 's'.repeat(32),
  }
  assert.deepEqual(
    blocks.flatMap(({ path, code }) => readConfig(code, path, env).problems),
    [],
  )
})

test('code taken from an example is what the example says', () => {
  const cited = pages.flatMap(({ path, text }) =>
    fences(text).flatMap(({ info, code }) => (info.includes(' examples/') ? [{ path, file: info.split(' ')[1] ?? '', code }] : [])),
  )
  assert.ok(cited.length > 0)
  const squeeze = (code: string): string => code.replaceAll(/\s+/g, ' ').trim()
  assert.deepEqual(
    cited
      .filter(({ file, code }) => !squeeze(read(file)).includes(squeeze(code)))
      .map(({ path, file }) => `${path}: a block is not in ${file}`),
    [],
  )
})

test('ERRORS.md and the catalogue say the same, both ways', () => {
  const page = read('docs/ERRORS.md')
  assert.equal(page, errorsPage(page), 'run: npm run docs')
  assert.deepEqual(
    [...writtenByHand(page)].filter(([, why]) => why === '').map(([code]) => `${code} needs a sentence on why it happens`),
    [],
  )
})

test('AUTHORITY.md shows the tables of roles, capabilities, routes, commands and tools', () => {
  assert.equal(read('docs/AUTHORITY.md'), authorityPage(), 'run: npm run docs')
})

test('ARCHITECTURE.md shows the table the imports are checked by', () => {
  assert.ok(read('docs/ARCHITECTURE.md').includes(importTable()), 'run: npm run docs')
})

test('VOCABULARY.md explains every word, and the noun of every event', () => {
  const page = read('docs/VOCABULARY.md')
  const explained = new Set([...page.matchAll(/^\| \*\*([^*]+)\*\*/gm)].flatMap(([, cell = '']) => cell.split(/, | · /)))
  const own = Object.keys(words)
    .flatMap((word) => word.split(', '))
    .filter((word) => !word.includes(' '))
  const events = projectFiles(['src'], /(events|tokens)\.ts$/).flatMap(({ text }) =>
    [...text.matchAll(/'([a-z]+)\.[a-z]+ed'/g)].map(([, noun = '']) => noun),
  )
  assert.ok(events.length > 10)
  assert.deepEqual(
    [...new Set([...own, ...events])].filter((word) => !explained.has(word)),
    [],
  )
})

test('a guide that says plain parley says what that is in a clone', () => {
  const guides = pages.filter(({ path, text }) => path.startsWith('docs/guides/') && /(^|`)parley [a-z]/m.test(text))
  assert.ok(guides.length > 8)
  assert.deepEqual(
    guides.filter(({ text }) => !text.includes('npm run parley --')).map(({ path }) => path),
    [],
  )
})

test('a page in Chinese shows the same commands as the English one', () => {
  const commands = (path: string): string[] =>
    fences(read(path))
      .filter(({ info }) => info === 'sh')
      .map(({ code }) => code.replaceAll(/\s*#.*$/gm, '').trim())
  for (const [english, chinese] of [
    ['README.md', 'README.zh.md'],
    ['docs/guides/quickstart.md', 'docs/guides/zh/quickstart.md'],
    ['docs/guides/backup.md', 'docs/guides/zh/backup.md'],
    ['docs/guides/approvals.md', 'docs/guides/zh/approvals.md'],
  ] as const) {
    assert.ok(commands(english).length > 0)
    assert.deepEqual(commands(chinese), commands(english), `${english} moved on: translate ${chinese}`)
  }
})

test('no file names a place on somebody’s machine', () => {
  const files = projectFiles(
    ['src', 'web', 'test', 'bench', 'examples', 'scripts', 'docs', ...rootFiles],
    /\.(m?[jt]sx?|md|json|ya?ml|txt|html|css)$/,
  )
  assert.ok(files.length > 50)
  const machine = new RegExp(
    String.raw`(^|[^\w.:/-])/(${['work', 'root', 'farm', 'home/[a-z]+', 'Users/[a-z]+', 'tmp/[a-z]+'].join('|')})/`,
    'm',
  )
  assert.deepEqual(
    files.filter(({ text }) => machine.test(text)).map(({ path, text }) => `${path}: ${machine.exec(text)?.[0].trim()}`),
    [],
  )
})
