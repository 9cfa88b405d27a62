import { type Message, onClick, onPush } from './push-event.ts'

/** The part of a service worker that this file uses: the types of the page and those of a worker cannot be used together. */
type Extendable = Event & { waitUntil(work: Promise<unknown>): void }
type PushEvent = Extendable & { data: { json(): unknown } | null }
type ClickEvent = Extendable & { action: string; notification: Notification }

const worker = self as unknown as Parameters<typeof onPush>[0] & {
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', listen: (event: Extendable) => void): void
  addEventListener(type: 'push', listen: (event: PushEvent) => void): void
  addEventListener(type: 'notificationclick', listen: (event: ClickEvent) => void): void
}

// It keeps no page and no answer: everything a person sees comes from the server.
worker.addEventListener('install', () => void worker.skipWaiting())
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))
worker.addEventListener('push', (event) => event.waitUntil(onPush(worker, event.data?.json() as Message | undefined)))
worker.addEventListener('notificationclick', (event) => event.waitUntil(onClick(worker, event.notification, event.action)))
