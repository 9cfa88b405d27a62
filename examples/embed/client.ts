/** The typed client: requests that are safe to repeat, and one live connection that resumes automatically. */
// Inside this repository; in your program it is 'parley-runtime/client'.
import { parleyClient } from '../../src/client/index.ts'

export async function talk(baseUrl: string, token: string): Promise<string> {
  const parley = parleyClient({ baseUrl, token })
  const dialog = await parley.dialogs.open({ text: 'Hello' })
  const question = await new Promise<string>((resolve) => {
    const stop = parley.live().follow(dialog.id, 0, {
      onEvents(events) {
        const event = events.find(({ type }) => type === 'question.asked')
        if (!event) return
        stop()
        resolve((event.data as { question: string }).question)
      },
    })
  })
  const { ask } = await parley.questions.get(question)
  const [first] = ask.items
  if (first?.kind === 'choice') await parley.questions.answer(question, { choice: first.options[0]?.value ?? '' })
  const answered = await parley.questions.get(question)
  parley.close()
  return answered.state
}
