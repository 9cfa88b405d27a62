import { useSyncExternalStore } from 'react'
import type { DialogSummary } from '../../../src/shapes/wire.ts'
import { storage } from '../keep/storage.ts'
import { client } from '../link/page-client.ts'

/** Known trees, each complete, as the server last sent it. */
export type Trees = {
  /** By root. */
  byRoot: ReadonlyMap<string, readonly DialogSummary[]>
  byDialog: ReadonlyMap<string, DialogSummary>
  open: ReadonlySet<string>
}

/** A tree is read again at most so often, and never twice at the same time. */
const gatherMs = 300
const mostAtOnce = 3

const listeners = new Set<() => void>()
let now: Trees = { byRoot: new Map(), byDialog: new Map(), open: new Set(storage.get<string[]>('tab', 'open-branches') ?? []) }
/** Visible trees, with the number of their viewers. */
const watched = new Map<string, number>()
const queue = new Set<string>()
const running = new Set<string>()
let timer: ReturnType<typeof setTimeout> | undefined
let stopListening: (() => void) | undefined

function tell(change: Partial<Trees>): void {
  now = { ...now, ...change }
  for (const listen of listeners) listen()
}

const findRoot = (dialog: string): string => now.byDialog.get(dialog)?.origin?.root ?? dialog

/** Reads the tree a dialog belongs to, whichever of its members is named. */
export function readTree(dialog: string): void {
  queue.add(findRoot(dialog))
  next()
}

function next(): void {
  for (const dialog of queue) {
    if (running.size >= mostAtOnce) return
    if (running.has(dialog)) continue
    queue.delete(dialog)
    running.add(dialog)
    void client.dialogs
      .tree(dialog)
      .then(take, () => {})
      .finally(() => {
        running.delete(dialog)
        next()
      })
  }
}

function take(items: DialogSummary[]): void {
  const root = items.find(({ origin }) => origin === null)?.id ?? items[0]?.origin?.root
  if (root === undefined) return
  const byDialog = new Map(now.byDialog)
  for (const item of items) byDialog.set(item.id, item)
  tell({ byRoot: new Map(now.byRoot).set(root, items), byDialog })
}

function lookAgain(): void {
  timer ??= setTimeout(() => {
    timer = undefined
    for (const dialog of watched.keys()) readTree(dialog)
  }, gatherMs)
}

/** Keeps the tree of this dialog fresh until the returned function is called. */
export function watchTree(dialog: string): () => void {
  watched.set(dialog, (watched.get(dialog) ?? 0) + 1)
  stopListening ??= client.live().onChanged(lookAgain)
  readTree(dialog)
  return () => {
    const remaining = (watched.get(dialog) ?? 1) - 1
    if (remaining > 0) watched.set(dialog, remaining)
    else watched.delete(dialog)
  }
}

export function setOpen(dialogs: readonly string[], isOpen: boolean): void {
  const open = new Set(now.open)
  for (const dialog of dialogs) {
    if (isOpen) open.add(dialog)
    else open.delete(dialog)
  }
  storage.set('tab', 'open-branches', [...open].slice(-200))
  tell({ open })
}

function subscribe(listen: () => void): () => void {
  listeners.add(listen)
  return () => listeners.delete(listen)
}

export const useTrees = (): Trees => useSyncExternalStore(subscribe, () => now)
