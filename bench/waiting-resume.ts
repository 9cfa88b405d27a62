import { openParley } from '../src/app/library.ts'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { askingTeam } from './asking-team.ts'
import { rest } from './rest.ts'
import { caller } from './words.ts'

/** A fresh process over a store full of waiting dialogs: answers one question and tells when its reply is on disk. */
const [path = '', question = ''] = process.argv.slice(2)
const store = sqliteStore({ path })
const parley = openParley({ store, team: askingTeam })
const { dialog } = await parley.questions.get(question)
const replied = rest(store)(dialog)
await parley.questions.answer(question, { choice: 'blue' }, caller)
await replied
const ms = performance.now()
const { status } = await parley.dialogs.get(dialog)
if (status !== 'ready') throw new Error(`the dialog is ${status} after its answer`)
process.send?.({ ms, rssBytes: process.memoryUsage.rss(), peakBytes: process.resourceUsage().maxRSS * 1024 })
await parley.close()
await store.close()
process.disconnect()
