import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchProfile } from './find-browser.ts'
import { pageServer } from './page-server.ts'

const server = await pageServer({ fast: true })
const context = await launchProfile()

test('Chromium offers to install the page, and every icon has the size it claims', async () => {
  const page = await context.newPage()
  await page.goto(await server.link('/'))
  const devtools = await context.newCDPSession(page)
  const { url, errors, manifest } = await devtools.send('Page.getAppManifest')
  assert.equal(url, `${server.url}/manifest.webmanifest`)
  assert.deepEqual(errors, [])
  assert.deepEqual((await devtools.send('Page.getInstallabilityErrors')).installabilityErrors, [])
  const names: string[] = []
  for (const icon of manifest?.icons ?? []) {
    const size = await page.evaluate<string>(
      `new Promise((resolve, reject) => {
        const image = new Image()
        image.onload = () => resolve(image.naturalWidth + 'x' + image.naturalHeight)
        image.onerror = reject
        image.src = ${JSON.stringify(icon.url)}
      })`,
    )
    if (icon.type === 'image/png') assert.equal(size, icon.sizes, icon.url)
    names.push(icon.url.slice(server.url.length))
  }
  assert.deepEqual(names, ['/icon.svg', '/icon-192.png', '/icon-512.png', '/icon-maskable-512.png'])
  await page.close()
})
