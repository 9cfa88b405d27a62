import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const project = fileURLToPath(new URL('../..', import.meta.url))
const code = 'qps'

/** English with accents, in plain string literals only: templates, keys and values that programs read stay as they are. */
function accented(source: string): string {
  const letters: Record<string, string> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú' }
  return source
    .split('\n')
    .map((line) =>
      /^(?:import|export \{|export type)/.test(line) || /\b(?:kind|id|value|type|language|satisfies|as)\b|===| \| '/.test(line)
        ? line
        : line.replace(/: '([^'\\]+)'/g, (_, text: string) => `: '${text.replace(/[aeiou]/g, (letter) => letters[letter] ?? letter)}'`),
    )
    .join('\n')
}

/** The texts of the question kinds stand with the kinds in English and Chinese; the new language has the English ones. */
const questionTexts = `import { type KindWords, kindWords } from '../../dialogs/rules/question-kinds/words.ts'
export const questions = new Proxy({} as KindWords, { get: (_, name) => kindWords.en[name as keyof KindWords] })
`

function edit(file: string, change: (text: string) => string): void {
  const text = readFileSync(file, 'utf8')
  const changed = change(text)
  assert.notEqual(changed, text, `${file} was not changed`)
  writeFileSync(file, changed)
}

/** Compiler errors of these folders and of all they import, as `file: message`. */
function compile(folder: string, ...include: string[]): string[] {
  writeFileSync(
    join(folder, 'shipped.json'),
    JSON.stringify({ extends: './tsconfig.json', include, exclude: ['**/*.test.ts', '**/test/**'] }),
  )
  const tsc = join(project, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '--pretty', 'false', '-p', 'shipped.json'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return stdout.split('\n').flatMap((line) => {
    const [, file, message] = /^([^\s(]+)\(\d+,\d+\): error TS\d+: (.*)$/.exec(line) ?? []
    return file === undefined ? [] : [`${file}: ${message}`]
  })
}

test('a new language: the compiler names the missing dictionaries, and with them it builds', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-language-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['src', 'packages', 'web', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(join(project, name), join(folder, name), { recursive: true, filter: (path) => !path.includes('node_modules') })
  // A folder of links, not a link to the folder: whatever empties node_modules of the copy removes links alone.
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(join(project, 'node_modules')))
    symlinkSync(join(project, 'node_modules', name), join(folder, 'node_modules', name))
  const words = join(folder, 'src/words')

  edit(join(folder, 'src/shapes/language.ts'), (text) =>
    text.replace('  en: {', `  ${code}: { name: 'Pseudo', locale: 'en-GB', htmlLang: 'en' },\n  en: {`),
  )
  // A file elsewhere that also needed an entry would still be wrong when the dictionaries are there.
  const missing = compile(folder, 'src/words')
  assert.ok(missing.length >= 10, missing.join('\n'))
  for (const error of missing) assert.match(error, /^src\/words\/(?:index|page-parts)\.ts: Property 'qps' is missing/)
  t.diagnostic(`${missing.length} dictionaries are named`)

  mkdirSync(join(words, code))
  for (const file of readdirSync(join(words, 'en')))
    writeFileSync(join(words, code, file), accented(readFileSync(join(words, 'en', file), 'utf8')))
  writeFileSync(join(words, code, 'questions.ts'), questionTexts)
  edit(join(words, 'index.ts'), (text) =>
    text
      .replace(
        "'en' | 'zh'>, KindWords>> = {}",
        `'en' | 'zh'>, KindWords>> = { ${code}: questions }\nimport { questions } from './${code}/questions.ts'`,
      )
      .replace("import * as zh from './zh/index.ts'", (line) => `${line}\nimport * as ${code} from './${code}/index.ts'`)
      .replace(/zh: zh\.(\w+) \}/g, (line, part: string) => line.replace(' }', `, ${code}: ${code}.${part} }`))
      .replace("  zh: async () => (await import('./zh/page.ts')).page,", (line) => `${line}\n${line.replaceAll('zh', code)}`),
  )
  edit(join(words, 'page-parts.ts'), (text) =>
    text
      .replace(
        /^import \{ (\w+) as (\w+)Zh \} from '\.\/zh\/(.*)'$/gm,
        (line, part: string, name: string, file: string) => `${line}\nimport { ${part} as ${name}Qps } from './${code}/${file}'`,
      )
      .replace(/zh: (\w+)Zh \}/g, (_, name: string) => `zh: ${name}Zh, ${code}: ${name}Qps }`),
  )
  assert.deepEqual(compile(folder, 'src', 'packages'), [])

  execFileSync(process.execPath, ['scripts/build.mjs', '--page'], { cwd: folder, stdio: 'pipe' })
  const assets = join(folder, 'dist/web/assets')
  const page = readdirSync(assets).filter((name) => name.endsWith('.js') && /Néw chát/.test(readFileSync(join(assets, name), 'utf8')))
  assert.equal(page.length, 1, 'the new language is one file of its own')
})
