import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { launchBrowser } from './find-browser.ts'

// Makes the icons of the installed page anew from the mark, web/public/icon.svg: npm run pictures.

const folder = fileURLToPath(new URL('../../web/public', import.meta.url))
const mark = readFileSync(join(folder, 'icon.svg'), 'utf8')
// Platforms cut these to a shape of their own: the ground fills the square, and the mark stays inside the safe circle.
const ground = mark.replace(' rx="8"', '').replace('viewBox="0 0 32 32"', 'viewBox="-4 -4 40 40"')
const square = ground.replace('<rect width="32" height="32"', '<rect x="-4" y="-4" width="40" height="40"')

const icons: readonly (readonly [name: string, size: number, svg: string])[] = [
  ['icon-192.png', 192, mark],
  ['icon-512.png', 512, mark],
  ['icon-maskable-512.png', 512, square],
  ['icon-touch.png', 180, square],
]

test('icons', async () => {
  const page = await (await launchBrowser()).newPage()
  for (const [name, size, svg] of icons) {
    await page.setViewportSize({ width: size, height: size })
    await page.setContent(`<style>body{margin:0}svg{display:block;inline-size:100vw}</style>${svg}`)
    await page.screenshot({ path: join(folder, name), omitBackground: true })
  }
})
