import { getInConfig, setInConfig } from '../../app/config/edit.ts'
import { ParleyError } from '../../errors.ts'
import { chooseToken } from '../channel-token.ts'
import { exitCode } from '../exit-code.ts'
import { UsageError } from '../fault.ts'
import type { Given } from '../given.ts'
import { labelled } from '../labelled.ts'
import { listPlaces, shortPath } from '../places.ts'
import { plainText } from '../plain-text.ts'
import { withProgress } from '../progress.ts'
import { parseTarget } from '../target.ts'
import type { Terminal } from '../terminal.ts'

/** Key by key where the account is set already, so that its other settings and comments stay. True when it was. */
function write(file: string, name: string, entry: Record<string, unknown>): boolean {
  const before = getInConfig(file, ['channels', name])
  if (typeof before === 'object' && before !== null) {
    for (const [key, value] of Object.entries(entry)) if (value !== undefined) setInConfig(file, ['channels', name, key], value)
  } else setInConfig(file, ['channels', name], Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)))
  return before !== undefined
}

export async function run(terminal: Terminal, given: Given): Promise<number> {
  const { words } = terminal
  const { messages } = words
  const platform = given.arg(0)
  const name = given.text('name') ?? platform
  const apiRoot = given.text('api-root')
  if (apiRoot !== undefined && (!URL.canParse(apiRoot) || !/^https?:$/.test(new URL(apiRoot).protocol)))
    throw new UsageError(`"${apiRoot}" is not an address.`, 'Such as: --api-root http://127.0.0.1:8081')
  const places = await listPlaces(terminal)
  const chosen = await chooseToken(terminal, given, name, places.data)
  if (chosen === null) return exitCode.interrupted
  const { token, variable } = chosen
  const account = given.off('check') ? null : await getAccount(terminal, { token, apiRoot, source: chosen.source })
  // Kept only once it is known to be good: a wrong token must not take the place of one that works.
  chosen.keep()
  const replaced = write(places.config, name, { kind: name === platform ? undefined : platform, token: `\${${variable}}`, apiRoot })
  const test = await testMessage(terminal, given, { token, apiRoot }, name)
  const failed = test !== null && 'problem' in test
  terminal.result({ name, kind: platform, account, tokenVariable: variable, file: places.config, replaced, test }, () => [
    ...(account === null ? [] : [messages.thisIs(plainText(account))]),
    (replaced ? messages.channelReplaced : messages.channelSet)(name, shortPath(places.config, terminal.cwd)),
    ...(test !== null && !failed ? [messages.testSent(test.target)] : []),
  ])
  if (!terminal.json) {
    if (account === null) terminal.warn(messages.notChecked)
    if (failed) terminal.warn(`${terminal.errPaint.yellow('!')} ${messages.testNotSent(plainText(test.problem))}`)
    terminal.say(
      messages.channelNext(account ?? name),
      ...(test === null ? [messages.testNext(name)] : []),
      labelled(words.next, 'parley requests list'),
    )
  }
  return failed ? exitCode.failed : exitCode.ok
}

async function getAccount(
  terminal: Terminal,
  { token, apiRoot, source }: { token: string; apiRoot: string | undefined; source: string },
): Promise<string> {
  const { checkTelegramToken } = await import('../../chats/channels/telegram/check.ts')
  const checked = await withProgress(terminal, terminal.words.messages.checkingToken, () => checkTelegramToken({ token, apiRoot }))
  if ('account' in checked) return checked.account
  if (checked.isPassing) throw new ParleyError('channel_unreachable', { platform: 'Telegram', why: checked.problem })
  throw new ParleyError('channel_check_failed', { platform: 'Telegram', why: `${checked.problem} (asked with the token from ${source})` })
}

type Tested = { target: string; messageId: string } | { target: string; problem: string }

async function testMessage(
  terminal: Terminal,
  given: Given,
  account: { token: string; apiRoot: string | undefined },
  name: string,
): Promise<Tested | null> {
  const typed = given.text('test-target')
  if (typed === undefined) return null
  const { target } = parseTarget(typed, { channel: name })
  const { sendTelegramTest } = await import('../../chats/channels/telegram/check.ts')
  return { target, ...(await sendTelegramTest(account, target, terminal.words.messages.testText)) }
}
