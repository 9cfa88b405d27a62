import { openParley } from '../src/app/library.ts'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { askingTeam } from './asking-team.ts'
import { serve } from './contender.ts'
import { rest } from './rest.ts'
import { caller, words } from './words.ts'

/** Opens dialogs until the wanted number of them waits on a question, and tells what that takes in memory. */
const [path = ''] = process.argv.slice(2)
const store = sqliteStore({ path })
const parley = openParley({ store, team: askingTeam })
const untilRest = rest(store)

async function fill({ dialogs }: { dialogs: number }): Promise<object> {
  const started = performance.now()
  const questions: string[] = []
  let dialogsLeft = dialogs
  const opener = async (): Promise<void> => {
    for (dialogsLeft -= 1; dialogsLeft >= 0; dialogsLeft -= 1) {
      const { id } = await parley.dialogs.open({}, caller)
      const atRest = untilRest(id)
      await parley.dialogs.say(id, words(dialogsLeft), caller)
      await atRest
      const [question] = (await parley.dialogs.get(id)).questions
      if (question) questions.push(question.id)
    }
  }
  await Promise.all(Array.from({ length: 100 }, opener))
  const { count } = await parley.inbox()
  return { count, questions: questions.slice(0, 50), seconds: (performance.now() - started) / 1000 }
}

serve(fill, async () => {
  await parley.close()
  await store.close()
})
