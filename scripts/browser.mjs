// The browser the end-to-end tests drive: one that is installed, else Debian's, else Playwright's own.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { environment, root, say, SetupError } from './setup.mjs'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

function places() {
  const { HOME = '', LOCALAPPDATA = '', PROGRAMFILES = '' } = process.env
  const programFiles86 = process.env['PROGRAMFILES(X86)'] ?? ''
  if (process.platform === 'darwin') {
    const apps = [
      'Google Chrome.app/Contents/MacOS/Google Chrome',
      'Chromium.app/Contents/MacOS/Chromium',
      'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    ]
    return apps.flatMap((app) => [join('/Applications', app), join(HOME, 'Applications', app)])
  }
  if (process.platform === 'win32') {
    const apps = [
      'Google\\Chrome\\Application\\chrome.exe',
      'Chromium\\Application\\chrome.exe',
      'Microsoft\\Edge\\Application\\msedge.exe',
    ]
    return [PROGRAMFILES, programFiles86, LOCALAPPDATA].filter(Boolean).flatMap((folder) => apps.map((app) => join(folder, app)))
  }
  return (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))
}

/** Where an installed browser is; undefined if there is none. */
export function findBrowser() {
  const named = process.env.PARLEY_BROWSER
  if (named) {
    if (!existsSync(named)) throw new SetupError(`PARLEY_BROWSER names ${named}, which does not exist.\n→ Correct it or unset it.`)
    return named
  }
  return places().find((place) => existsSync(place)) ?? playwrightsOwn()
}

function playwrightsOwn() {
  const place = createRequire(join(root, 'package.json'))('playwright-core').chromium.executablePath()
  return place && existsSync(place) ? place : undefined
}

/** Finds or installs one and returns where it is. */
export function ensureBrowser(node) {
  const browser = findBrowser()
  if (browser) return browser
  if (process.platform === 'linux' && process.getuid?.() === 0 && has('apt-get')) {
    say('No browser here yet: installing Debian’s Chromium and fonts (once, about a minute) …')
    const apt = (...args) =>
      spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
        .status === 0
    if (apt('update', '-qq') && apt('install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-noto-cjk', 'fonts-noto-core')) {
      const installed = findBrowser()
      if (installed) return installed
    }
  }
  say('No browser here yet: fetching Playwright’s own Chromium (once, about a minute) …')
  spawnSync(node, [join(root, 'node_modules', 'playwright-core', 'cli.js'), 'install', 'chromium'], {
    cwd: root,
    env: environment(),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const own = findBrowser()
  if (own) return own
  throw new SetupError('No browser could be found or installed.\n→ Install Chrome or Chromium, or name one: PARLEY_BROWSER=… npm test')
}

const has = (command) => spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0
