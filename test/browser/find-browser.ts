import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after } from 'node:test'
import { type Browser, type BrowserContext, chromium } from '@playwright/test'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge']
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The browser of this machine: the one named in PARLEY_BROWSER, an installed Chrome or Chromium, or Playwright's own. */
export function findBrowser(): string {
  const named = process.env['PARLEY_BROWSER']
  const onPath = (process.env['PATH'] ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))
  const matches = [
    ...(named ? [named] : []),
    ...onPath,
    ...names.map((name) => join('/usr/bin', name)),
    ...places,
    chromium.executablePath(),
  ].find(canRun)
  if (matches === undefined) throw new Error('No Chrome or Chromium was found. Install one, or name it: PARLEY_BROWSER=/path/to/chromium')
  return matches
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Parts of the browser that no test sees: a window opens two more pages for the popup of its address bar, which take as long as
 * the page under test. Playwright's own list, of which only what concerns a page on this machine is repeated, would be replaced.
 */
const unusedFeatures = [
  'WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,WebUIOmniboxSimplification',
  'AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable',
  'PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,OptimizationHints,MediaRouter',
  'NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,LensOverlay',
]

/** Nothing of it talks to the outside; root has no sandbox to use. */
const options = (): { executablePath: string; args: string[] } => ({
  executablePath: findBrowser(),
  args: [
    '--headless',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    `--disable-features=${unusedFeatures.join(',')}`,
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ],
})

/** One browser for all tests of a file. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch(options())
  after(() => browser.close())
  return browser
}

/** A browser with a profile: in the others nothing can be installed and nothing is pushed. */
export async function launchProfile(): Promise<BrowserContext> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-profile-'))
  const context = await chromium.launchPersistentContext(folder, { ...options(), locale: 'en-US' })
  after(async () => {
    await context.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return context
}
