import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type ServerProcess = { child: ChildProcess; url: string; token: string; readyMs: number; end(): Promise<void> }

const ownTree = fileURLToPath(new URL('..', import.meta.url))

/** `parley serve` as a person would start it, up to the line that says where it is; of another checkout where one is given. */
export async function serverProcess(folder: string, tree = ownTree): Promise<ServerProcess> {
  const before = performance.now()
  const child = spawn(process.execPath, [join(tree, 'src/cli/main.ts'), 'serve', '--json', '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve))
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  const ready = firstLine(child)
  const line = await Promise.race([ready, gone.then((code) => Promise.reject(new Error(`the server ended with ${code}: ${output}`)))])
  const readyMs = performance.now() - before
  const { url } = JSON.parse(line) as { url: string }
  const { token } = JSON.parse(readFileSync(join(folder, '.parley', 'server.json'), 'utf8')) as { token: string }
  return {
    child,
    url,
    token,
    readyMs,
    async end() {
      child.kill('SIGTERM')
      const tooLong = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await gone
      clearTimeout(tooLong)
    },
  }
}

export function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!child.stdout) return reject(new Error('the process has no output to read'))
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('error', reject)
  })
}

/** Memory and CPU time of another process, as Linux tells them. */
const memory = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

export const rssBytes = (pid: number): number => memory(pid, 'VmRSS')
export const peakBytes = (pid: number): number => memory(pid, 'VmHWM')

const ticksPerSecond = 100

export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000
}
