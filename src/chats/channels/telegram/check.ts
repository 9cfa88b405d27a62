import type { TelegramClient } from './client.ts'
import { toPlace } from './parse.ts'

/** Longer than a person waits at a prompt for an answer that will not come. */
const patienceMs = 20_000

/** `isPassing`: Telegram could not be reached, so the token is neither right nor wrong. */
type Unknown = { problem: string; isPassing: boolean }

type Account = { token: string; apiRoot?: string | undefined }

/** Asks Telegram for the account of this token. It does not throw, and its result never contains the token. */
export async function checkTelegramToken({ token, apiRoot }: Account): Promise<{ account: string } | Unknown> {
  if (!/^\d+:[\w-]+$/.test(token)) return { problem: 'this is not the form of a token (digits, a colon, letters)', isPassing: false }
  const reply = await clientFor({ token, apiRoot }, (client) =>
    client.call({ operation: 'getMe', body: {} }, AbortSignal.timeout(patienceMs)),
  )
  if ('problem' in reply) return reply
  const { username, first_name: name } = reply.result as { username?: string; first_name?: string }
  return { account: username === undefined ? (name ?? 'a nameless account') : `@${username}` }
}

/** One short message, straight to Telegram: for the moment when no server runs yet. */
export async function sendTelegramTest(
  { token, apiRoot }: Account,
  target: string,
  text: string,
): Promise<{ messageId: string } | { problem: string }> {
  const sendReply = await clientFor({ token, apiRoot }, (client) =>
    client.call({ operation: 'sendMessage', body: { ...toPlace(target), text } }, AbortSignal.timeout(patienceMs)),
  )
  return 'problem' in sendReply
    ? { problem: sendReply.problem }
    : { messageId: String((sendReply.result as { message_id?: number }).message_id ?? '') }
}

async function clientFor(
  { token, apiRoot }: Account,
  ask: (client: TelegramClient) => ReturnType<TelegramClient['call']>,
): Promise<{ result: unknown } | Unknown> {
  const { telegramClient } = await import('./client.ts')
  const answer = await ask(await telegramClient({ token, ...(apiRoot !== undefined && { apiRoot }) }))
  return 'failure' in answer ? { problem: answer.failure.why, isPassing: answer.failure.retryable } : answer
}
