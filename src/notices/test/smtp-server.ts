import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

export type TakenMail = { lines: string[]; headers: string; text: string }

/** A mail server on this machine. `refuse` answers one command with another reply. */
export async function smtpServer(): Promise<
  AsyncDisposable & { port: number; taken: TakenMail[]; refuse: Record<string, string>; next(): Promise<TakenMail> }
> {
  const waiting: ((mail: TakenMail) => void)[] = []
  const taken: TakenMail[] = []
  const refuse: Record<string, string> = {}
  const server = createServer((socket) => {
    let input = ''
    let data: string[] | null = null
    const lines: string[] = []
    const say = (text: string): void => void socket.write(`${text}\r\n`)
    say('220 loopback')
    socket.on('error', () => {})
    socket.on('data', (piece) => {
      input += piece.toString()
      for (let end = input.indexOf('\r\n'); end !== -1; end = input.indexOf('\r\n')) {
        const line = input.slice(0, end)
        input = input.slice(end + 2)
        take(line)
      }
    })
    function take(line: string): void {
      if (data) {
        if (line !== '.') return void data.push(line)
        const [headers = '', body = ''] = data.join('\r\n').split('\r\n\r\n')
        const mail = { lines, headers, text: Buffer.from(body, 'base64').toString() }
        data = null
        taken.push(mail)
        say('250 taken')
        waiting.shift()?.(mail)
        return
      }
      lines.push(line)
      const verb = line.split(/[ :]/, 1)[0] ?? ''
      const refusal = refuse[verb]
      if (refusal !== undefined) return say(refusal)
      if (verb === 'EHLO') return say('250-loopback\r\n250 AUTH PLAIN')
      if (verb === 'AUTH') return say('235 welcome')
      if (verb === 'DATA') {
        data = []
        return say('354 go on')
      }
      say(verb === 'QUIT' ? '221 bye' : '250 fine')
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    taken,
    refuse,
    next: () => new Promise((resolve) => waiting.push(resolve)),
    async [Symbol.asyncDispose]() {
      server.close()
      await once(server, 'close')
    },
  }
}
