/** Telegram's error response: `{ ok: false, error_code, description, parameters }`. */
export class TelegramFault extends Error {
  readonly status: number
  readonly parameters: Record<string, number> | undefined

  constructor(status: number, description: string, parameters?: Record<string, number>) {
    super(description)
    this.status = status
    this.parameters = parameters
  }

  body(): object {
    return { ok: false, error_code: this.status, description: this.message, ...(this.parameters && { parameters: this.parameters }) }
  }
}

export const badRequest = (why: string): TelegramFault => new TelegramFault(400, `Bad Request: ${why}`)

/** The answers people meet, by name, so that a test does not have to spell them. */
export const telegramFaults = {
  tooManyRequests: (seconds: number): TelegramFault =>
    new TelegramFault(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds }),
  blocked: (): TelegramFault => new TelegramFault(403, 'Forbidden: bot was blocked by the user'),
  kicked: (): TelegramFault => new TelegramFault(403, 'Forbidden: bot was kicked from the supergroup chat'),
  chatNotFound: (): TelegramFault => badRequest('chat not found'),
  notModified: (): TelegramFault =>
    badRequest(
      'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    ),
  editNotFound: (): TelegramFault => badRequest('message to edit not found'),
  cannotEdit: (): TelegramFault => badRequest("message can't be edited"),
  queryTooOld: (): TelegramFault => badRequest('query is too old and response timeout expired or query ID is invalid'),
  movedTo: (chat: number): TelegramFault =>
    new TelegramFault(400, 'Bad Request: group chat was upgraded to a supergroup chat', { migrate_to_chat_id: chat }),
  badGateway: (): TelegramFault => new TelegramFault(502, 'Bad Gateway'),
  internal: (): TelegramFault => new TelegramFault(500, 'Internal Server Error'),
} as const
