import { telegramEmulator } from '../src/testing/telegram-emulator/telegram-emulator.ts'
import { serve } from './contender.ts'

/** Telegram with people in it, in a process of its own. Each waits for what the account does before the next thing. */
const telegram = await telegramEmulator({ record: false, checks: false })
const people = new Map<number, { chat: number; person: ReturnType<typeof telegram.person>; keyboard: number | null }>()

const findPerson = (index: number): { chat: number; person: ReturnType<typeof telegram.person>; keyboard: number | null } => {
  let one = people.get(index)
  if (!one) {
    const person = telegram.person({ first_name: `P${index}` })
    people.set(index, (one = { person, chat: telegram.privateChat(person), keyboard: null }))
  }
  return one
}

/** `chats` people write `each` messages, one after the other, and wait for the reply to each. */
async function write({ chats, each }: { chats: number; each: number }): Promise<object> {
  const before = performance.now()
  const waits: number[] = []
  await Promise.all(
    Array.from({ length: chats }, async (_, index) => {
      const { chat, person } = findPerson(index)
      for (let turn = 0; turn < each; turn += 1) {
        const from = performance.now()
        const { message_id: said } = telegram.say(chat, person, `message ${turn} of ${index}`)
        await telegram.until(() => telegram.getLast(chat) > said, 'a reply')
        waits.push(performance.now() - from)
      }
    }),
  )
  return { seconds: (performance.now() - before) / 1_000, waits }
}

/** The same with taps on a button that stays, each waiting until it is acknowledged. */
async function tap({ chats, each }: { chats: number; each: number }): Promise<object> {
  for (let index = 0; index < chats; index += 1) {
    const one = findPerson(index)
    one.keyboard ??= telegram.messages(one.chat).findLast(({ keyboard }) => keyboard.length > 0)?.id ?? null
  }
  const before = performance.now()
  const waits: number[] = []
  await Promise.all(
    Array.from({ length: chats }, async (_, index) => {
      const { chat, person, keyboard } = findPerson(index)
      if (keyboard === null) throw new Error(`chat ${chat} has no button`)
      for (let turn = 0; turn < each; turn += 1) {
        const from = performance.now()
        const query = telegram.tap(chat, person, keyboard, 'Tap')
        await telegram.until(() => telegram.isAnswered(query), 'an acknowledgement')
        waits.push(performance.now() - from)
      }
    }),
  )
  return { seconds: (performance.now() - before) / 1_000, waits }
}

/** Each asks for a question and taps an answer. `asked`: until the question is there; `waits`: from the tap until it is closed and the account has replied. */
async function ask({ chats, each }: { chats: number; each: number }): Promise<object> {
  const before = performance.now()
  const asked: number[] = []
  const waits: number[] = []
  await Promise.all(
    Array.from({ length: chats }, async (_, index) => {
      const { chat, person } = findPerson(index)
      for (let turn = 0; turn < each; turn += 1) {
        const from = performance.now()
        const { message_id: said } = telegram.say(chat, person, `ask ${turn}`)
        const question = await telegram.until(() => telegram.getLast(chat) > said && telegram.getLast(chat), 'a question')
        asked.push(performance.now() - from)
        const tapped = performance.now()
        const query = telegram.tap(chat, person, question, 'green')
        const isClosed = (): boolean => telegram.messages(chat).findLast(({ id }) => id === question)?.keyboard.length === 0
        await telegram.until(() => telegram.getLast(chat) > question && telegram.isAnswered(query) && isClosed(), 'the end of the question')
        waits.push(performance.now() - tapped)
      }
    }),
  )
  return { seconds: (performance.now() - before) / 1_000, waits, asked }
}

type Times = { chats: number; each: number }

serve<{ where: true } | { write: Times } | { tap: Times } | { ask: Times } | { chats: number }>(
  async (command): Promise<object> => {
    if ('where' in command) return { url: telegram.url, token: telegram.token }
    if ('write' in command) return write(command.write)
    if ('tap' in command) return tap(command.tap)
    if ('ask' in command) return ask(command.ask)
    return { chats: Array.from({ length: command.chats }, (_, index) => findPerson(index).chat) }
  },
  () => telegram.close(),
)
