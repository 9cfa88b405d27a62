import type { Api, Context, MiddlewareFn, MiddlewareObj, Transformer } from 'grammy'
import type { InlineKeyboardButton, Message } from 'grammy/types'
import { type EndControls, endControls, type EndControlsOptions, type PrepareRequest } from './end-controls.ts'
import { turnPolicy, type TurnPolicy } from './policy.ts'

type Rows = InlineKeyboardButton[][]

/** The value of `ctx.endControls` in a handler. */
export type EndControlsContext = {
  /** The choice before this turn, and its effect on the turn. */
  policy: TurnPolicy
  /** Nothing is attached in this turn: silent replies, errors, progress, questions that have buttons of their own. */
  skip(): void
  /** Sends the end of a reply with the controls in one call; without it they are added to the last message of the turn. */
  reply(text: string, other?: Parameters<Api['sendMessage']>[2]): Promise<Message.TextMessage>
}

export type EndControlsFlavor = { endControls: EndControlsContext }

export type ReplyEndOptions<C extends Context> = Omit<EndControlsOptions, 'account' | 'channel' | 'actions'> & {
  bot: { api: Api; token: string }
  /** In groups: not at all, or only for who asked. */
  groups?: 'off' | 'asker'
  /** Where inline buttons are off, nothing takes their place. */
  isOn?: (ctx: C) => boolean
}

export type ReplyEnd<C extends Context> = MiddlewareObj<C> & { controls: EndControls }

/** Two buttons under each reply of any grammY bot. Mount it before the handlers: `bot.use(replyEndControls({ bot, key, storage }))`. */
export function replyEndControls<C extends Context & Partial<EndControlsFlavor>>(options: ReplyEndOptions<C>): ReplyEnd<C> {
  const { bot, groups = 'off', isOn = () => true, log = () => {}, ...rest } = options
  const account = bot.token.split(':')[0] ?? ''
  const controls = endControls({ ...rest, log, account, channel: 'telegram', actions: getActions(bot.api, log) })

  const place = (message: PlacedMessage): { conversation: string; chat: string; topic?: string } => {
    const topic = message.is_topic_message === true ? message.message_thread_id : undefined
    const chat = String(message.chat.id)
    return {
      conversation: `telegram:${account}:${chat}${topic === undefined ? '' : `:${topic}`}`,
      chat,
      ...(topic !== undefined && { topic: String(topic) }),
    }
  }

  const onTap: MiddlewareFn<C> = async (ctx, next) => {
    const query = ctx.callbackQuery
    if (query?.data === undefined || !query.message) return next()
    const { conversation, chat } = place(query.message)
    const otherRows = 'reply_markup' in query.message ? othersRows(query.message.reply_markup?.inline_keyboard ?? []) : undefined
    const outcome = await controls.tapped({
      conversation,
      chat,
      update: ctx.update.update_id,
      query: query.id,
      message: String(query.message.message_id),
      by: String(query.from.id),
      data: query.data,
      ...(otherRows && { shown: otherRows }),
    })
    return outcome === 'other' ? next() : undefined
  }

  const onMessage = async (ctx: C, said: Message, next: () => Promise<void>): Promise<void> => {
    const at = place(said)
    const turn = String(ctx.update.update_id)
    await controls.typed(at.conversation, { update: ctx.update.update_id, text: said.text ?? said.caption ?? null })
    const chatMessages = sentMessages(said.chat.id)
    ctx.api.config.use(chatMessages.watch)
    let isSkipped = false
    const request = { ...at, session: at.conversation, turn, replyId: turn, asker: String(said.from?.id ?? said.chat.id) }
    ctx.endControls = {
      policy: await controls.beginTurn(at.conversation, turn),
      skip: () => {
        isSkipped = true
      },
      reply: async (text, other = {}) => {
        const own = other.reply_markup && 'inline_keyboard' in other.reply_markup ? other.reply_markup.inline_keyboard : []
        const { id, rows } = await prepared(controls, request, own)
        const topic = at.topic === undefined ? {} : { message_thread_id: Number(at.topic) }
        const message = await ctx.api.sendMessage(said.chat.id, text, { ...topic, ...other, reply_markup: { inline_keyboard: rows } })
        await controls.offered(at.conversation, id, String(message.message_id))
        chatMessages.hasControls(message.message_id)
        return message
      },
    }
    await next()
    const last = chatMessages.last()
    if (isSkipped || !last || last.hasControls) return
    await attach(controls, bot.api, request, last, log)
  }

  const handle: MiddlewareFn<C> = async (ctx, next) => {
    const chat = ctx.chat
    const isHere = chat !== undefined && (chat.type === 'private' || (groups === 'asker' && chat.type !== 'channel'))
    // A tap is answered wherever it comes from: its buttons may be older than the setting.
    if (ctx.callbackQuery) {
      ctx.endControls = withoutControls(ctx)
      return onTap(ctx, next)
    }
    const said = ctx.message
    if (!isHere || !said || said.from?.is_bot === true || !isOn(ctx)) {
      ctx.endControls = withoutControls(ctx)
      return next()
    }
    return onMessage(ctx, said, next)
  }
  return { middleware: () => handle, controls }
}

type PlacedMessage = { chat: { id: number }; message_id: number; is_topic_message?: boolean; message_thread_id?: number }

async function prepared(controls: EndControls, request: PrepareRequest, own: Rows): Promise<{ id: string; rows: Rows }> {
  const { id, rows } = await controls.prepare({ ...request, ...(own.length > 0 && { above: own }) })
  return { id, rows: [...own, ...rows.map((row) => row.map(({ label, data }) => ({ text: label, callback_data: data })))] }
}

async function attach(controls: EndControls, api: Api, request: PrepareRequest, last: Sent, log: Log): Promise<void> {
  const { id, rows } = await prepared(controls, { ...request, message: String(last.message) }, last.rows)
  try {
    await api.editMessageReplyMarkup(Number(request.chat), last.message, { reply_markup: { inline_keyboard: rows } })
  } catch (error) {
    log('Reply-end controls: the keyboard could not be attached.', { conversation: request.conversation, error: (error as Error).message })
    // Only an answer is certain. Without one the buttons may well be there, and a tap on them must count.
    if (getCode(error) !== undefined) return controls.unattached(request.conversation, id, String(last.message))
  }
  return controls.offered(request.conversation, id, String(last.message))
}

type Sent = { message: number; rows: Rows; hasControls: boolean }

/** Follows what a handler sends into its chat, to know the last message that can carry a keyboard. */
function sentMessages(chat: number): { watch: Transformer; hasControls(message: number): void; last(): Sent | undefined } {
  const messagesByChat = new Map<number, Sent>()
  const watch: Transformer = async (prev, method, payload, signal) => {
    const answer = await prev(method, payload, signal)
    if (!answer.ok) return answer
    const { reply_markup: markup, message_id: target } = payload as { reply_markup?: object; message_id?: number }
    const result = answer.result as unknown
    if (method === 'deleteMessage' && target !== undefined) messagesByChat.delete(target)
    if (/^(send|edit)/.test(method) && isMessageIn(result, chat)) {
      const canCarry = markup === undefined || 'inline_keyboard' in markup
      const rows = (result.reply_markup?.inline_keyboard ?? []) as Rows
      if (canCarry)
        messagesByChat.set(result.message_id, { message: result.message_id, rows: othersRows(rows), hasControls: rows.flat().some(isOurs) })
    }
    return answer
  }
  return {
    watch,
    hasControls(message) {
      const match = messagesByChat.get(message)
      if (match) match.hasControls = true
    },
    last: () => [...messagesByChat.values()].toSorted((one, other) => one.message - other.message).at(-1),
  }
}

const isMessageIn = (value: unknown, chat: number): value is Message & { reply_markup?: { inline_keyboard: Rows } } =>
  typeof value === 'object' && value !== null && 'message_id' in value && (value as { chat?: { id: number } }).chat?.id === chat

const isOurs = (button: object): boolean => 'callback_data' in button && /^pe\d+:/.test(String(button.callback_data))
const othersRows = (rows: Rows): Rows => rows.map((row) => row.filter((button) => !isOurs(button))).filter((row) => row.length > 0)

type Log = NonNullable<EndControlsOptions['log']>

const getCode = (error: unknown): number | undefined => (error as { error_code?: number }).error_code

/** Deleted, unreachable or already changed: there is nothing left to remove. */
const asGoodAsDone =
  /message is not modified|message to edit not found|message can't be edited|MESSAGE_ID_INVALID|chat not found|blocked by the user|kicked/i

function getActions(api: Api, log: Log): EndControlsOptions['actions'] {
  return {
    async answer(query, text) {
      await api.answerCallbackQuery(query, { text })
    },
    async leaveRows(chat, message, rows) {
      try {
        // An empty keyboard has to be said: left out, the buttons would stay.
        await api.editMessageReplyMarkup(Number(chat), Number(message), { reply_markup: { inline_keyboard: rows as Rows } })
      } catch (error) {
        const code = getCode(error)
        if (code === undefined || code === 429 || code >= 500) throw error
        const { description = '' } = error as { description?: string }
        if (!asGoodAsDone.test(description))
          log('Reply-end controls: the buttons could not be taken away.', { chat, message, error: description })
      }
    },
  }
}

/** Where there are no controls, a handler reads as everywhere else. */
const withoutControls = (ctx: Context): EndControlsContext => ({
  policy: turnPolicy({ state: 'open' }),
  skip: () => {},
  reply: (text, other) => ctx.reply(text, other),
})
