import { qrCode, qrLines } from './qr-code.ts'
import type { Terminal } from './terminal.ts'

const isLoopback = (host: string): boolean => /^(localhost|\[::1\]|127\.)/.test(host)

/** Shows a sign-in link as a QR code where a phone can open it: at a terminal, for an address of the network. */
export function sayLinkCode(terminal: Terminal, link: string): void {
  if (terminal.stdout.isTTY !== true || terminal.json || isLoopback(new URL(link).host)) return
  const modules = qrCode(link)
  if (!modules || terminal.width < modules.length + 4) return
  const { errPaint: paint, words } = terminal
  terminal.say(words.scanLink, ...qrLines(modules).map((line) => paint.bgBlack(paint.whiteBright(line))))
}
