import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ParleyError } from '../../errors.ts'

export type Fetched = { package: string; version: string; integrity: string | null }

/**
 * Has npm put a package and what it needs into a folder of its own. Scripts of packages are not run: what a plugin does,
 * it does when it is set up, where it is watched.
 */
export async function fetchPackage(spec: string, folder: string, cwd: string): Promise<Fetched> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--omit=dev', '--omit=peer', '--loglevel=error']
  const { code, said } = await npm(['install', ...flags, '--prefix', folder, '--', spec], cwd)
  if (code !== 0) {
    rmSync(folder, { recursive: true, force: true })
    throw new ParleyError('plugin_not_fetched', { plugin: spec, why: reasonIn(said) })
  }
  const { dependencies = {} } = readJson(join(folder, 'package.json')) as { dependencies?: Record<string, string> }
  const [name] = Object.keys(dependencies)
  if (name === undefined) throw new ParleyError('plugin_not_fetched', { plugin: spec, why: 'npm installed nothing' })
  const { version } = readJson(join(folder, 'node_modules', name, 'package.json')) as { version: string }
  const lock = readJson(join(folder, 'package-lock.json')) as { packages?: Record<string, { integrity?: string }> }
  return { package: name, version, integrity: lock.packages?.[`node_modules/${name}`]?.integrity ?? null }
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

function npm(args: readonly string[], cwd: string): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve) => {
    let said = ''
    const child = spawn('npm', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, PATH: pathWithNode() } })
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
    child.on('error', (error) => resolve({ code: 1, said: `npm could not be started: ${error.message}` }))
    child.on('close', (code) => resolve({ code, said }))
  })
}

/** The npm of this Node where there is one, else whichever is found. */
const pathWithNode = (): string => [dirname(process.execPath), process.env['PATH'] ?? ''].join(process.platform === 'win32' ? ';' : ':')

/** npm explains at length; its first sentence says it. */
function reasonIn(said: string): string {
  const lines = said.split('\n').map((line) => line.replace(/^npm (error|ERR!)\s*/, '').trim())
  return (lines.find((line) => line !== '' && !/^(code|errno|syscall|path)\b/.test(line)) ?? 'npm failed').replace(/(?<![.\s])[.\s]+$/, '')
}
