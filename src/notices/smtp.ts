import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

export const smtpLimits = { stepMs: 20_000, replyChars: 10_000 } as const

export type SmtpServer = {
  host: string
  port: number
  /** `tls`: from the first byte; `starttls`: it must be offered, or nothing is sent; `none`: for a server on this machine. */
  security: 'tls' | 'starttls' | 'none'
  user?: string | undefined
  password?: string | undefined
}

export type Mail = { from: string; to: string; subject: string; text: string; id: string; at: number }

/** The server refused. Four hundreds may work later; everything else is for the person who set it up. */
export class SmtpFault extends Error {
  readonly isTransient: boolean
  constructor(message: string, isTransient: boolean) {
    super(message)
    this.name = 'SmtpFault'
    this.isTransient = isTransient
  }
}

/** Sends one plain text by SMTP (RFC 5321), one connection for each. */
export async function sendMail(server: SmtpServer, mail: Mail, signal: AbortSignal): Promise<void> {
  const { host, port, security, user, password } = server
  let line = await open(security === 'tls' ? connectTls({ host, port, servername: host }) : connectPlain({ host, port }), signal)
  try {
    await line.expect(220)
    let able = await line.say('EHLO parley.invalid', 250)
    if (security === 'starttls') {
      if (!/^STARTTLS\b/im.test(able)) throw new SmtpFault('the server offers no STARTTLS', false)
      await line.say('STARTTLS', 220)
      line = await open(connectTls({ socket: line.release(), servername: host }), signal)
      able = await line.say('EHLO parley.invalid', 250)
    }
    if (user !== undefined) await line.say(`AUTH PLAIN ${Buffer.from(`\0${user}\0${password ?? ''}`).toString('base64')}`, 235)
    await line.say(`MAIL FROM:<${mail.from}>`, 250)
    await line.say(`RCPT TO:<${mail.to}>`, 250)
    await line.say('DATA', 354)
    // A line of one dot ends the message; base64 has none.
    await line.say(`${writeMail(mail)}\r\n.`, 250)
    // It has the message: what comes of the goodbye changes nothing.
    await line.say('QUIT', 221).catch(() => {})
  } finally {
    line.end()
  }
}

const encodedWord = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text)
    ? text
    : (text.match(/.{1,12}/gsu) ?? []).map((part) => `=?utf-8?B?${Buffer.from(part).toString('base64')}?=`).join('\r\n ')

/** RFC 5322 and MIME. Header fields are one line each: a line break in a subject must not begin another field. */
function writeMail({ from, to, subject, text, id, at }: Mail): string {
  const body =
    Buffer.from(text)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  return [
    `From: Parley <${from}>`,
    `To: <${to}>`,
    `Subject: ${encodedWord(subject.replaceAll(/\p{Cc}+/gu, ' ').trim())}`,
    `Date: ${new Date(at).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}>`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    ...body,
  ].join('\r\n')
}

type Line = {
  say(text: string, code: number): Promise<string>
  expect(code: number): Promise<string>
  release(): Socket
  end(): void
}

/** Commands and replies of one connection. Each step has its time. */
async function open(socket: Socket, signal: AbortSignal): Promise<Line> {
  let input = ''
  let wake = (): void => {}
  let fault: Error | null = null
  const fail = (error: Error): void => {
    fault ??= error
    wake()
  }
  const onData = (piece: Buffer): void => {
    input += piece.toString('utf8')
    if (input.length > smtpLimits.replyChars) fail(new SmtpFault('the reply of the server is too long', false))
    wake()
  }
  const onEnd = (): void => fail(new SmtpFault('the server closed the connection', true))
  const onAbort = (): void => fail(new SmtpFault('it was stopped', true))
  const onError = (error: Error): void => fail(new SmtpFault(error.message, true))
  const onTimeout = (): void => fail(new SmtpFault('the server does not answer', true))
  socket.on('data', onData).on('error', onError).on('close', onEnd).on('timeout', onTimeout)
  socket.setTimeout(smtpLimits.stepMs)
  signal.addEventListener('abort', onAbort)

  async function expect(code: number): Promise<string> {
    for (;;) {
      const reply = /^(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\n/.exec(input)?.[0]
      if (reply !== undefined) {
        input = input.slice(reply.length)
        if (reply.startsWith(String(code))) return reply.replaceAll(/^\d{3}[- ]/gm, '')
        throw new SmtpFault(`the server says: ${reply.trim().slice(0, 300)}`, reply.startsWith('4'))
      }
      if (fault) throw fault
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  const detach = (): void => {
    signal.removeEventListener('abort', onAbort)
    socket.off('data', onData).off('close', onEnd).off('timeout', onTimeout)
  }
  return {
    expect,
    say(text, code) {
      socket.write(`${text}\r\n`)
      return expect(code)
    },
    release() {
      detach()
      return socket
    },
    end() {
      detach()
      socket.destroy()
    },
  }
}
