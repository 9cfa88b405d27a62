// Packs what is published, installs it into an empty project and uses it there: every entry point is imported and `npx parley`
// answers. The packages it depends on are hard-linked from node_modules as the lock file names them, so no registry is needed
// and a package that is not declared as a dependency is missing. Size and number of packages are printed and bounded.
import { spawnSync } from 'node:child_process'
import { cpSync, linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { environment, root } from './setup.mjs'

const budget = { packedBytes: 2_800_000, unpackedBytes: 10_000_000, packages: 30, packagesWithOptional: 220 }

const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`

const project = mkdtempSync(join(tmpdir(), 'parley-installed-'))
try {
  check()
} finally {
  rmSync(project, { recursive: true, force: true })
}

function check() {
  const { name, version, exports, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const tarball = pack()
  const modules = join(project, 'node_modules')
  const own = join(modules, name)
  mkdirSync(own, { recursive: true })
  run('tar', ['-xzf', tarball, '-C', own, '--strip-components=1'])
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'empty', type: 'module', private: true }))
  const packages = installDependencies()
  mkdirSync(join(modules, '.bin'))
  for (const [command, file] of Object.entries(bin)) symlinkSync(join('..', name, file), join(modules, '.bin', command))

  const entries = Object.entries(exports).flatMap(([path, file]) => (file.endsWith('.js') ? [name + path.slice(1)] : []))
  run('node', ['-e', entries.map((entry) => `await import(${JSON.stringify(entry)})`).join(';')])
  const story = `import { agent, memoryStore, parley } from '${name}'
const echo = agent({ name: 'echo', *reply() { yield { type: 'text', text: 'It works.' } } })
await using app = await parley({ store: memoryStore(), agents: [echo] })
console.log(await (await app.dialogs.open('Hello')).reply())`
  writeFileSync(join(project, 'story.js'), story)
  expect(run('node', ['story.js']).trim() === 'It works.', 'a program that imports the package')
  expect(run('npx', ['--no-install', 'parley', 'version']).includes(version), 'npx parley version')

  const packedBytes = statSync(tarball).size
  const unpackedBytes = bytesUnder(own)
  console.log(
    `${entries.length} entry points · ${kilobytes(packedBytes)} packed · ${kilobytes(unpackedBytes)} unpacked · ${packages.needed} packages, ${packages.all} with optional ones`,
  )
  within('packed size', packedBytes, budget.packedBytes)
  within('unpacked size', unpackedBytes, budget.unpackedBytes)
  within('packages', packages.needed, budget.packages)
  within('packages with optional ones', packages.all, budget.packagesWithOptional)
}

function pack() {
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', project], root)
  const [file] = readdirSync(project).filter((each) => each.endsWith('.tgz'))
  return join(project, file)
}

/** Everything the lock file does not mark as needed for development alone. */
function installDependencies() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  let needed = 0
  let all = 0
  for (const [path, { dev = false, optional = false, devOptional = false }] of Object.entries(packages)) {
    const from = join(root, path)
    if (!path.startsWith('node_modules/') || dev || !statSync(from, { throwIfNoEntry: false })) continue
    all += 1
    if (!optional && !devOptional) needed += 1
    link(from, join(project, path))
  }
  return { needed, all }
}

function link(from, to) {
  for (const entry of readdirSync(from, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || entry.parentPath.slice(from.length).includes('node_modules')) continue
    const source = join(entry.parentPath, entry.name)
    const target = to + source.slice(from.length)
    mkdirSync(dirname(target), { recursive: true })
    try {
      linkSync(source, target)
    } catch {
      // Another file system, such as a separate /tmp.
      cpSync(source, target)
    }
  }
}

function run(command, args, cwd = project) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env: environment(), encoding: 'utf8' })
  expect(status === 0, `${command} ${args.join(' ')}\n${error?.message ?? ''}${stdout}${stderr}`)
  return stdout
}

function bytesUnder(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}

function expect(isMet, what) {
  if (!isMet) throw new Error(`The installed package does not work: ${what}`)
}

function within(what, value, most) {
  if (value > most) throw new Error(`${what}: ${value} is more than the budget of ${most} (scripts/installed-package.mjs)`)
}
