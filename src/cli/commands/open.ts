import type { CommandFunction } from '../command-row.ts'
import { dialogId, withServer } from '../connect.ts'
import { openInBrowser } from '../open-browser.ts'

export const run: CommandFunction = async (terminal, given) => {
  const dialogArg = given.optionalArg(0)
  const { words, errPaint } = terminal
  const { link, dialog } = await withServer(terminal, async ({ client }) => ({
    // A dialog that does not exist is refused here, not by a page in the browser.
    dialog: dialogArg === undefined ? null : (await client.dialogs.get(await dialogId(client, dialogArg))).id,
    link: await client.link({}),
  }))
  const url = new URL(link.url)
  if (dialog !== null) url.pathname = `/c/${dialog}`
  const isOpened = !terminal.json && terminal.interactive && (await openInBrowser(url.href, terminal.env))
  terminal.result({ url: url.href, expiresAt: link.expiresAt }, () => (isOpened ? [] : url.href))
  terminal.say(isOpened ? words.openedBrowser : errPaint.dim(words.oneTime))
}
