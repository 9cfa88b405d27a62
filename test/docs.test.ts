import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'
import { rows as commandRows } from '../src/cli/table.ts'
import { readConfig } from '../src/app/config/load.ts'
import { buildEventsPage } from './build-events-page.ts'
import { authorityPage } from './authority-page.ts'
import { errorsPage, writtenByHand } from './errors-page.ts'
import { importTable } from './import-rules.ts'
import { type ProjectFile, projectFiles, root } from './project-files.ts'

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
      /^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:npm run (?:-s )?parley -- |parley )([a-z-]+)(?: ([a-z-]+))?/.exec(line.trim()) ?? []
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
  const pagePaths = pages.map(({ path }) => path)
  const cited = projectFiles(['src', 'packages', 'web/src', 'scripts'], /\.(ts|tsx|mjs)$/).flatMap(({ path, text }) =>
    [...text.matchAll(/\bdocs\/[\w./-]*\w/g)].map(([name]) => ({ path, name })),
  )
  assert.ok(cited.length > 3)
  // A decision may be cited by its number alone.
  assert.deepEqual(
    cited.filter(({ name }) => !pagePaths.some((page) => page.startsWith(name))),
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
    DISCORD_TOKEN: 'token',
    DATABASE_URL: 'postgres://db/parley',
    FEISHU_APP_ID: 'cli_0123456789abcdef',
    FEISHU_APP_SECRET: 'secret',
    FEISHU_ENCRYPT_KEY: 's'.repeat(32),
    LINE_CHANNEL_SECRET: 's'.repeat(32),
    LINE_TOKEN: 'token',
    MATTERMOST_TOKEN: 'token',
    OPENAI_API_KEY: 'key',
    SLACK_APP_TOKEN: 'xapp-token',
    SLACK_TOKEN: 'xoxb-token',
    SMTP_PASSWORD: 'password',
    TEAMS_APP_ID: 'id',
    TEAMS_APP_PASSWORD: 'secret',
    TEAMS_TENANT_ID: 'tenant',
    TELEGRAM_TOKEN: '1:token',
    TELEGRAM_WEBHOOK_SECRET: 's'.repeat(32),
  }
  assert.deepEqual(
    blocks.flatMap(({ path, code }) => readConfig(code, path, env).problems),
    [],
  )
})

test('code blocks of an example equal the file', () => {
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

test('BUILD-EVENTS.md shows every event, field and step of a build', () => {
  assert.equal(read('docs/BUILD-EVENTS.md'), buildEventsPage(), 'run: npm run docs')
})

test('ARCHITECTURE.md shows the table the imports are checked by', () => {
  assert.ok(read('docs/ARCHITECTURE.md').includes(importTable()), 'run: npm run docs')
})

test('VOCABULARY.md explains each word once, and the noun of every event', () => {
  const page = read('docs/VOCABULARY.md')
  const rows = [...page.matchAll(/^\| \*\*([^*]+)\*\*/gm)].flatMap(([, cell = '']) => cell.split(/, | · /))
  const explained = new Set(rows)
  assert.deepEqual(
    rows.filter((word, at) => rows.indexOf(word) !== at),
    [],
  )
  const events = projectFiles(['src'], /(events|tokens)\.ts$/).flatMap(({ text }) =>
    [...text.matchAll(/'([a-z]+)\.[a-z]+ed'/g)].map(([, noun = '']) => noun),
  )
  assert.ok(events.length > 10)
  assert.deepEqual(
    [...new Set(events)].filter((word) => !explained.has(word)),
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

const englishGuides = pages.filter(({ path }) => /^docs\/guides\/[^/]+$/.test(path))
const chineseGuides = pages.filter(({ path }) => path.startsWith('docs/guides/zh/'))

/** Compares heading levels in order; the texts of the headings are in two languages. */
function headingDifferences(english: readonly ProjectFile[], chinese: readonly ProjectFile[]): string[] {
  const levels = ({ text }: ProjectFile): string => [...prose(text).matchAll(/^(#+) /gm)].map(([, level = '']) => level).join(' ')
  const pairs = new Map(english.map((page) => [page.path.replace('docs/guides/', 'docs/guides/zh/'), page]))
  if (pairs.size === 0) return ['there is no guide to compare']
  const extra = chinese.filter(({ path }) => !pairs.has(path)).map(({ path }) => `${path} has no English guide`)
  const different = [...pairs].flatMap(([path, page]) => {
    const translation = chinese.find((candidate) => candidate.path === path)
    if (!translation) return [`${path} is missing`]
    if (levels(page) === '') return [`${page.path} has no heading`]
    return levels(page) === levels(translation) ? [] : [`${path} has ${levels(translation)}, ${page.path} has ${levels(page)}`]
  })
  return [...extra, ...different]
}

test('every guide exists in English and Chinese with the same headings', (t) => {
  t.diagnostic(`${englishGuides.length} guides`)
  assert.deepEqual(headingDifferences(englishGuides, chineseGuides), [])
})

test('a missing guide, a missing heading and an empty comparison are each found', () => {
  const english = { path: 'docs/guides/x.md', text: '# X\n\n## One\n\n```sh\n# a comment\n```\n\n### Two\n' }
  const chinese = { path: 'docs/guides/zh/x.md', text: '# X\n\n## 一\n\n### 二\n' }
  assert.deepEqual(headingDifferences([english], [chinese]), [])
  assert.deepEqual(headingDifferences([english], []), ['docs/guides/zh/x.md is missing'])
  assert.deepEqual(headingDifferences([english], [chinese, { ...chinese, path: 'docs/guides/zh/y.md' }]), [
    'docs/guides/zh/y.md has no English guide',
  ])
  for (const text of ['# X\n\n## 一\n', '# X\n\n## 一\n\n## 二\n', '# X\n\n### 二\n\n## 一\n', ''])
    assert.equal(headingDifferences([english], [{ ...chinese, text }]).length, 1, text)
  assert.deepEqual(headingDifferences([{ ...english, text: '' }], [{ ...chinese, text: '' }]), ['docs/guides/x.md has no heading'])
  assert.deepEqual(headingDifferences([], []), ['there is no guide to compare'])
})

test('a page in Chinese shows the same commands and kinds of code as the English one', () => {
  const kinds = (path: string): string[] => fences(read(path)).map(({ info }) => info)
  const commands = (path: string): string[] =>
    fences(read(path))
      .filter(({ info }) => info === 'sh')
      .map(({ code }) => code.replaceAll(/\s*#.*$/gm, '').trim())
  const pairs = [
    ['README.md', 'README.zh.md'] as const,
    ...englishGuides.map(({ path }) => [path, path.replace('docs/guides/', 'docs/guides/zh/')] as const),
  ]
  assert.ok(pairs.flatMap(([english]) => commands(english)).length > 40)
  for (const [english, chinese] of pairs) {
    assert.deepEqual(commands(chinese), commands(english), `${english} changed: translate ${chinese}`)
    assert.deepEqual(kinds(chinese), kinds(english), `${english} changed: translate ${chinese}`)
  }
})

/** The promises of a README, each with the examples, tests and commands that its row names. */
function promises(text: string): { promise: string; proofs: string[] }[] {
  const [, table = ''] = /^\| (?:promise|承诺) \|.*\n\|---\|---\|\n((?:\|.*\n)*)/m.exec(text) ?? []
  return [...table.matchAll(/^\| (.*?) \| (.*) \|$/gm)].map(([, promise = '', cell = '']) => ({
    promise,
    proofs: [...cell.matchAll(/\((examples\/[\w-]+\/main\.ts|[\w./-]+\.test\.ts)\)|`((?:npm run|parley) [^`]+)`/g)].map(
      ([, file, command]) => file ?? command ?? '',
    ),
  }))
}

test('every promise of the README has an example, a test or a command', () => {
  const english = promises(read('README.md'))
  assert.ok(english.length > 10)
  assert.deepEqual(
    english.filter(({ proofs }) => proofs.length === 0).map(({ promise }) => promise),
    [],
  )
  assert.deepEqual(
    promises(read('README.zh.md')).map(({ proofs }) => proofs),
    english.map(({ proofs }) => proofs),
  )
  assert.deepEqual(promises('| promise | shown by |\n|---|---|\n| It works | [guide](docs/x.md), `src/x` |\n'), [
    { promise: 'It works', proofs: [] },
  ])
})

test('no file contains a path of a developer’s machine', () => {
  const files = projectFiles(
    ['src', 'packages', 'web', 'test', 'bench', 'examples', 'scripts', 'docs', ...rootFiles],
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
