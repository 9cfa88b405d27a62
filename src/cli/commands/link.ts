import type { CommandFunction } from '../command-row.ts'
import { withServer } from '../connect.ts'
import { sayLinkCode } from '../link-code.ts'
import { openInBrowser } from '../open-browser.ts'

export const run: CommandFunction = async (terminal, given) => {
  const person = given.text('for')
  const link = await withServer(terminal, ({ client }) => client.link(person === undefined ? {} : { for: person }))
  const url = new URL(link.url)
  const path = given.optionalArg(0)
  if (path !== undefined) url.pathname = path
  terminal.result({ url: url.href, expiresAt: link.expiresAt }, () => url.href)
  sayLinkCode(terminal, url.href)
  if (given.on('open') && (await openInBrowser(url.href, terminal.env))) terminal.say(terminal.words.openedBrowser)
  else if (!terminal.json) terminal.say(terminal.errPaint.dim(terminal.words.oneTime))
}
