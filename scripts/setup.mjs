// Installs everything that must exist before anything runs. Plain JavaScript: this starts under whatever Node the machine has (18 or
// newer), puts Parley's own Node 24 into node_modules, and touches nothing outside the project.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

const windows = process.platform === 'win32'
const nodeFolder = join(root, 'node_modules', 'node')
const nodeBinary = join(nodeFolder, 'bin', windows ? 'node.exe' : 'node')
const stampFile = join(root, 'node_modules', '.parley-installed')

export const say = (text) => process.stderr.write(`${text}\n`)

/** A problem a person can fix: shown without a stack. */
export class SetupError extends Error {}

/** Ends the process in the right way when one of the commands fails. */
export function stopWith(error) {
  if (!(error instanceof SetupError)) throw error
  say(`\n${error.message}\n`)
  process.exit(1)
}

/** Installs what package-lock.json names, unless exactly that is already there. Returns the Node to run everything with. */
export async function ensureInstalled() {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const stamp = createHash('sha256').update(lock).update(`${process.platform}-${process.arch}`).digest('hex')
  const lastStamp = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : ''
  if (lastStamp !== stamp && !holdsEverything(JSON.parse(lock))) await install()
  // The stamp says that this binary has run here before; trying it again would cost every start a process.
  if (lastStamp === stamp && existsSync(nodeBinary)) return nodeBinary
  const node = await ensureNode()
  await installSkipped(JSON.parse(lock), node)
  writeFileSync(stampFile, stamp)
  return node
}

/** npm may have been run by hand: its record of the folder is compared with the lockfile. */
function holdsEverything(lock) {
  const listing = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(listing)) return false
  const there = JSON.parse(readFileSync(listing, 'utf8')).packages
  return Object.entries(lock.packages).every(([path, wanted]) => path === '' || wanted.optional || there[path]?.version === wanted.version)
}

async function install() {
  say('Installing what Parley needs into ./node_modules (once, about half a minute) …')
  // NODE_ENV=production would skip the tools that build the page.
  const { status, output } = await npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'])
  if (status === 0) return
  const offline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/i.test(output)
  throw new SetupError(
    offline
      ? `The package registry cannot be reached, so nothing could be installed.\n${lastLines(output)}\n→ Connect to the internet (or set a registry you can reach: npm config set registry …), then run this again.`
      : `npm ci did not succeed.\n${lastLines(output)}\n→ Fix the cause above, then run this again. It is safe to delete node_modules.`,
  )
}

/**
 * An older npm leaves out optional packages whose `engines` ask for a newer Node than the machine's. They are installed
 * under the Node that will run them.
 */
async function installSkipped({ packages }, node) {
  const isMissing = ([path, { optional, engines, os }]) =>
    optional && engines?.node && os === undefined && !existsSync(join(root, path, 'package.json'))
  if (isNewEnough(process.versions.node) || !Object.entries(packages).some(isMissing)) return
  const path = [join(node, '..'), process.env.PATH ?? ''].join(delimiter)
  const args = ['install', '--no-save', '--include=dev', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error', '--prefer-offline']
  // Optional: without them everything else still works, and doctor names what is missing.
  await progress('npm', args, root, windows, { ...process.env, PATH: path })
}

/** The Node that runs Parley: the one in node_modules, else this one if it is new enough. */
async function ensureNode() {
  if (runs(nodeBinary)) return nodeBinary
  const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies.node
  if (existsSync(join(nodeFolder, 'installArchSpecificPackage.js'))) {
    // npm was told not to run install scripts. This one only fetches the Node binary for this machine.
    say(`Fetching Node ${wanted} into ./node_modules …`)
    await progress(process.execPath, ['installArchSpecificPackage.js'], nodeFolder)
    if (runs(nodeBinary)) return nodeBinary
  }
  if (isNewEnough(process.versions.node)) return process.execPath
  throw new SetupError(
    `Node ${wanted} could not be put into node_modules, and this Node (${process.version}) is too old to run Parley.\n` +
      '→ Allow its install script (npm rebuild node), or install Node 24.15 or newer yourself, then run this again.',
  )
}

const runs = (binary) => existsSync(binary) && spawnSync(binary, ['-e', '0'], { stdio: 'ignore' }).status === 0

/** True for a version of Node that runs Parley. */
export function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 15)
}

/** `node` and every tool then mean the project's own. */
export function environment(more = {}) {
  const path = [join(root, 'node_modules', '.bin'), join(nodeFolder, 'bin'), process.env.PATH ?? ''].join(delimiter)
  return { ...process.env, PATH: path, ...more }
}

function npm(args) {
  const cli = process.env.npm_execpath
  // Without a path to npm's own script, Windows needs a shell to find npm.cmd.
  return cli && /\.[cm]?js$/.test(cli) ? progress(process.execPath, [cli, ...args], root) : progress('npm', args, root, windows)
}

/** Runs a long command, stores its output for a failure, and prints the seconds that pass. */
function progress(command, args, cwd, shell = false, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, shell, stdio: ['ignore', 'pipe', 'pipe'], env })
    let output = ''
    const keep = (chunk) => (output = (output + chunk).slice(-20_000))
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const started = Date.now()
    const tty = process.stderr.isTTY
    const tick = () => {
      const seconds = Math.round((Date.now() - started) / 1000)
      process.stderr.write(tty ? `\r  ${seconds} s ` : `  still running, ${seconds} s\n`)
    }
    const timer = setInterval(tick, tty ? 1000 : 10_000)
    child.on('error', (error) => {
      clearInterval(timer)
      reject(
        error.code === 'ENOENT'
          ? new SetupError(`${command} was not found.\n→ Install it (npm comes with Node), then run this again.`)
          : error,
      )
    })
    child.on('close', (status) => {
      clearInterval(timer)
      if (tty) process.stderr.write('\r\x1b[K')
      resolve({ status, output })
    })
  })
}

const noise = /^npm error\s*(at .*|(errno|syscall|address|port|type|code):.*|[{}]|)$/

/** The last message of npm, without its stack. */
const lastLines = (text) =>
  text
    .trim()
    .split('\n')
    .filter((line) => !noise.test(line.trim()))
    .slice(-8)
    .map((line) => `  ${line}`)
    .join('\n')
