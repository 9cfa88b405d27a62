import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../fixtures/eventually.ts'
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

test('a message of the server becomes a notification, and its button answers the question', async () => {
  await context.grantPermissions(['notifications'], { origin: server.url })
  const page = await context.newPage()
  await page.goto(await server.link('/settings'))
  // There is no push service here, so the browser cannot subscribe; its service worker runs all the same.
  const begun = context.waitForEvent('serviceworker')
  await page.getByLabel('Notify this browser').click()
  const worker = await begun
  // Until it is active it gets no messages.
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
  const { id: dialog } = (await server.call('POST', '/v1/dialogs', { text: 'Build me a reading-list agent' })) as { id: string }
  const question = await openQuestion(dialog)
  const tag = question.id
  const choice = question.ask.items[0]?.options?.[0]
  const send = { path: `v1/questions/${tag}/answer`, body: { choice: choice?.value } }
  const buttons = [{ action: 'answer-0', title: choice?.label, says: 'Answer sent', send }]
  const message = { title: 'Ada asks you', body: 'Which?', path: `q/${tag}`, tag, language: 'en', notSent: 'Not sent', buttons }

  const devtools = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first) resolve(first.registrationId)
    })
  })
  await devtools.send('ServiceWorker.enable')
  // Chromium forgets a notification when its list is read while the notification is still being shown.
  await worker.evaluate(`{
    const show = registration.showNotification.bind(registration)
    self.shows = []
    registration.showNotification = (...message) => {
      const showing = show(...message)
      shows.push(showing)
      return showing
    }
  }`)
  const shown = async (count: number): Promise<string[]> => {
    await eventually(() => worker.evaluate<boolean>(`shows.length === ${count} && Promise.all(shows).then(() => true)`), 'the notification')
    return worker.evaluate<string[]>(
      `registration.getNotifications().then((all) => all.map(({ title, body, tag }) => [title, body, tag].join(' | ')))`,
    )
  }
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin: server.url,
    registrationId: await registered,
    data: JSON.stringify(message),
  })
  assert.deepEqual(await shown(1), [`Ada asks you | Which? | ${tag}`])

  // An event made by a script runs the same listener; only its `waitUntil` is refused.
  await worker.evaluate(`registration.getNotifications().then(([notification]) => {
    dispatchEvent(new NotificationEvent('notificationclick', { notification, action: 'answer-0' }))
  })`)
  assert.deepEqual(await shown(2), [`Answer sent | Ada asks you | ${tag}`])
  const answered = (await server.call('GET', `/v1/questions/${tag}`)) as { state: string; closed: { answers: object } }
  assert.deepEqual([answered.state, Object.values(answered.closed.answers)], ['answered', [choice?.value]])
  await page.close()
})

type Asked = { id: string; ask: { items: { options?: { value: string; label: string }[] }[] } }

function openQuestion(dialog: string): Promise<Asked> {
  return eventually(async () => {
    const { questions } = (await server.call('GET', `/v1/dialogs/${dialog}`)) as { questions: Asked[] }
    return questions[0]
  }, 'the question')
}
