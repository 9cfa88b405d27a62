import { spawn } from 'node:child_process'

const getProgram = (url: string, platform: NodeJS.Platform): [string, string[]] =>
  platform === 'darwin' ? ['open', [url]] : platform === 'win32' ? ['rundll32', ['url.dll,FileProtocolHandler', url]] : ['xdg-open', [url]]

/** A machine without a screen has nothing to open; its owner uses the printed link. */
export const hasScreen = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): boolean =>
  !env['CI'] &&
  !env['SSH_CONNECTION'] &&
  (platform === 'darwin' || platform === 'win32' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']))

/** True when something was started. A later failure is ignored: the link is printed anyway. */
export async function openInBrowser(url: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  if (!hasScreen(env)) return false
  const [program, args] = getProgram(url, process.platform)
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
