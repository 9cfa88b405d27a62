import type { NotificationsView, SubscriptionInput } from '../../../src/shapes/notifications.ts'
import { basePath } from '../link/base-path.ts'
import { client } from '../link/page-client.ts'

export type Choices = Pick<SubscriptionInput, 'language' | 'shows' | 'quiet'>

/** Why this browser shows no notifications: `insecure`: a page over plain http; `home-screen`: on iPhones an installed page alone does. */
export type Obstacle = 'insecure' | 'home-screen' | 'unsupported' | 'denied'

export function findObstacle(): Obstacle | null {
  if (!isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator) || !('PushManager' in globalThis) || !('Notification' in globalThis))
    return /iPhone|iPad/.test(navigator.userAgent) ? 'home-screen' : 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : null
}

type ScriptPolicy = { createScriptURL(text: string): unknown }
type PolicyFactory = { createPolicy(name: string, rules: { createScriptURL(text: string): string }): ScriptPolicy }

let policy: ScriptPolicy | undefined

/** The one script address that the page makes; its content security policy names this policy and no other. */
function workerAddress(): string {
  const address = `${basePath}/service-worker.js`
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory }
  policy ??= trustedTypes?.createPolicy('parley-worker', { createScriptURL: () => address })
  return (policy?.createScriptURL(address) ?? address) as string
}

async function worker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(workerAddress(), { scope: `${basePath}/` })
  return navigator.serviceWorker.ready
}

/** Asks the person, subscribes at the push service of the browser, and tells the server. Null: the person said no. */
export async function switchOn(publicKey: string, choices: Choices): Promise<NotificationsView | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null
  const { pushManager } = await worker()
  const key = toBytes(publicKey)
  const known = await pushManager.getSubscription()
  // One made for other keys, such as those of a server before, would never be reached.
  const isOurs = known?.options.applicationServerKey && sameBytes(new Uint8Array(known.options.applicationServerKey), key)
  if (known && !isOurs) await known.unsubscribe()
  const subscription = known && isOurs ? known : await subscribe(pushManager, key)
  const { keys = {} } = subscription.toJSON()
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const own = { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' }
  return client.call('notifications.subscribe', { ...choices, endpoint: subscription.endpoint, keys: own, timeZone })
}

const subscribeMs = 20_000

/** A browser that cannot reach its push service may never say so. */
function subscribe(pushManager: PushManager, key: Uint8Array<ArrayBuffer>): Promise<PushSubscription> {
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new DOMException('', 'TimeoutError')), subscribeMs))
  return Promise.race([pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }), late])
}

export async function switchOff(): Promise<NotificationsView> {
  const registration = await navigator.serviceWorker.getRegistration(`${basePath}/`)
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
  return client.call('notifications.unsubscribe', {})
}

/** True if the browser has a subscription, whatever the server knows. */
export async function isSubscribedHere(): Promise<boolean> {
  const registration = await navigator.serviceWorker.getRegistration(`${basePath}/`)
  const subscription = await registration?.pushManager.getSubscription()
  return subscription !== undefined && subscription !== null
}

function toBytes(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0))
}

const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at])
