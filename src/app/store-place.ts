import { join } from 'node:path'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import { type CopyReport, type CopyStep, copyStore } from '../store/copy-store.ts'
import { migrateDatabase } from '../store/postgres/check-database.ts'
import { openPostgresRaw } from '../store/postgres/postgres-raw.ts'
import { openPostgres } from '../store/postgres/postgres-store.ts'
import { describePostgresUrl, isPostgresUrl } from '../store/postgres/postgres-url.ts'
import type { RawStore } from '../store/raw-store.ts'
import { migrateFile } from '../store/sqlite/migrate-file.ts'
import { openSqliteRaw } from '../store/sqlite/sqlite-raw.ts'
import { sqliteStore } from '../store/sqlite/sqlite-store.ts'
import { systemClock } from '../ports/clock.ts'
import { dialogKind } from '../dialogs/rows/dialog-kind.ts'
import { folderFiles } from '../store/folder-files.ts'
import { groupCommitter } from '../streams/committer.ts'
import { streamHandler } from '../streams/stream-handler.ts'
import { checkStore, type StoreReport } from './check-store.ts'
import { readRetired, restoreDialog } from './retire/restore-dialog.ts'
import { retireBatch } from './retire/retire-dialogs.ts'
import type { RetiredTree } from './retire/retired-file.ts'

/** A data folder or an address of PostgreSQL. */
export type StorePlace = { folder: string } | { url: string }

export const toStorePlace = (text: string, resolve: (path: string) => string): StorePlace =>
  isPostgresUrl(text) ? { url: text } : { folder: resolve(text) }

const fileIn = (folder: string): string => join(folder, 'parley.db')

/** For people: without user and password. */
export const describePlace = (place: StorePlace): string => ('url' in place ? describePostgresUrl(place.url) : fileIn(place.folder))

const openRaw = async (place: StorePlace): Promise<RawStore> =>
  'url' in place ? openPostgresRaw(place.url) : openSqliteRaw(fileIn(place.folder))

export const migrateStore = (place: StorePlace): Promise<{ from: number; to: number }> =>
  'url' in place ? migrateDatabase(place.url) : migrateFile(fileIn(place.folder))

/** Beside a server that may be running. */
export const openStoreAt = async (place: StorePlace, log?: Log): Promise<Store> =>
  'url' in place
    ? (await openPostgres({ ...place, ...(log && { log }) })).store
    : sqliteStore({ path: fileIn(place.folder), ...(log && { log }) })

/** Refused while a server runs: it would change what is compared. */
export async function checkStoreAt(place: StorePlace): Promise<StoreReport> {
  await (await openRaw(place)).close()
  const store: Store =
    'url' in place
      ? (await openPostgres({ ...place, ignoresMove: true })).store
      : sqliteStore({ path: fileIn(place.folder), ignoresMove: true })
  try {
    return await checkStore(store)
  } finally {
    await store.close()
  }
}

export async function copyStoreTo(from: StorePlace, to: StorePlace, onStep: (step: CopyStep) => void): Promise<CopyReport> {
  const source = await openRaw(from)
  try {
    const target = await openRaw(to)
    try {
      return await copyStore(source, target, onStep)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** Also while servers run. `restedMs`: only dialogs that rest for so long. */
export async function retireAt(place: StorePlace, folder: string, restedMs: number): Promise<{ dialogs: number; events: number }> {
  const store = await openStoreAt(place)
  try {
    const dialogs = streamHandler(dialogKind, store, groupCommitter(store))
    const parts = { store, dialogs, files: folderFiles(folder), folder, clock: systemClock }
    const total = { dialogs: 0, events: 0 }
    for (let cursor: string | null = ''; cursor !== null;) {
      const batch: Awaited<ReturnType<typeof retireBatch>> = await retireBatch(parts, restedMs, cursor)
      total.dialogs += batch.dialogs
      total.events += batch.events
      cursor = batch.next
    }
    return total
  } finally {
    await store.close()
  }
}

export async function readRetiredAt(place: StorePlace, folder: string, dialog: string): Promise<RetiredTree> {
  const store = await openStoreAt(place)
  try {
    return await readRetired(store, folderFiles(folder), dialog)
  } finally {
    await store.close()
  }
}

/** Refused while a server runs. */
export async function restoreAt(place: StorePlace, folder: string, dialog: string): Promise<{ dialogs: number; events: number }> {
  const tree = await readRetiredAt(place, folder, dialog)
  return restoreDialog(
    tree,
    () => openRaw(place),
    () => openStoreAt(place),
    Date.now(),
  )
}
