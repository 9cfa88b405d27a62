/** A message of the server, as `pushMessage` of src/notices/push-targets.ts writes it. */
export type Message = {
  title: string
  body: string
  /** Of the page, relative to its start. */
  path: string
  tag: string
  language: string
  notSent: string
  buttons: { action: string; title: string; says?: string; send?: { path: string; body: object } }[]
}

type Client = { url: string; focused: boolean; focus(): Promise<unknown>; navigate(url: string): Promise<unknown> }

type Worker = {
  registration: {
    scope: string
    showNotification(title: string, options: NotificationOptions & { actions?: { action: string; title: string }[] }): Promise<void>
  }
  clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<Client[]>
    openWindow(url: string): Promise<unknown>
  }
  fetch(url: string, init: RequestInit): Promise<Response>
}

/** Shows it, unless the person has the very page in front of them. */
export async function onPush(worker: Worker, message: Message | undefined): Promise<void> {
  if (!message) return
  const url = toAddress(worker, message.path)
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (windows.some((window) => window.focused && window.url === url)) return
  await show(worker, message, message.title, message.body)
}

/** A button with an effect sends it and says what came of it; everything else opens the page. */
export async function onClick(worker: Worker, notification: Notification, action: string): Promise<void> {
  const message = notification.data as Message
  notification.close()
  const button = message.buttons.find((one) => one.action === action)
  if (!button?.send) return open(worker, toAddress(worker, message.path))
  const isTaken = await send(worker, button.send, `${message.tag}:${action}`)
  await show(worker, { ...message, buttons: [] }, isTaken ? (button.says ?? button.title) : message.notSent, message.title)
}

async function send(worker: Worker, { path, body }: { path: string; body: object }, key: string): Promise<boolean> {
  try {
    const response = await worker.fetch(toAddress(worker, path), {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    })
    return response.ok
  } catch {
    return false
  }
}

async function open(worker: Worker, url: string): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const there = windows.find((window) => window.url === url) ?? windows[0]
  // A window that this worker does not control yet cannot be sent elsewhere.
  const isShown =
    there &&
    (there.url === url ||
      (await there.navigate(url).then(
        () => true,
        () => false,
      )))
  await (isShown ? there.focus() : worker.clients.openWindow(url))
}

const show = (worker: Worker, message: Message, title: string, body: string): Promise<void> =>
  worker.registration.showNotification(title, {
    body,
    tag: message.tag,
    lang: message.language,
    dir: 'auto',
    icon: toAddress(worker, 'icon-192.png'),
    data: message,
    actions: message.buttons.map(({ action, title: label }) => ({ action, title: label })),
  })

const toAddress = ({ registration }: Worker, path: string): string => new URL(path, registration.scope).href
