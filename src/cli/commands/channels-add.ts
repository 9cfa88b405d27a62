import type { CommandFunction } from '../command-row.ts'
import { getInConfig, setInConfig } from '../../app/config/edit.ts'
import { builtInKinds } from '../../chats/channels/registry.ts'
import { ParleyError } from '../../errors.ts'
import type { ChannelKind, OpenAccount } from '../../ports/channel-kind.ts'
import { chooseSecrets } from '../channel-token.ts'
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

export const run: CommandFunction = async (terminal, given) => {
  const { words } = terminal
  const { messages } = words
  const platform = given.arg(0)
  const name = given.text('name') ?? platform
  const apiRoot = given.text('api-root')
  if (apiRoot !== undefined && (!URL.canParse(apiRoot) || !/^https?:$/.test(new URL(apiRoot).protocol)))
    throw new UsageError(`"${apiRoot}" is not an address.`, 'Such as: --api-root http://127.0.0.1:8081')
  const kind = await builtInKinds[platform]?.load()
  if (!kind) throw new UsageError(`There is no platform "${platform}".`, `Known: ${Object.keys(builtInKinds).join(', ')}`)
  const places = await listPlaces(terminal)
  const chosen = await chooseSecrets(terminal, given, { name, dataDir: places.data, secrets: kind.secrets })
  if (chosen === null) return exitCode.interrupted
  const settings = { ...Object.fromEntries(chosen.map(({ key, value }) => [key, value])), ...(apiRoot !== undefined && { apiRoot }) }
  const { openForCheck } = await import('../../chats/channels/open-for-check.ts')
  const opened = openForCheck(kind, name, settings)
  if ('problem' in opened) throw new UsageError(opened.problem, 'See: parley channels add --help')
  const source = chosen.map((one) => one.source).join(', ')
  const account = given.off('check') ? null : await getAccount(terminal, kind, opened, source)
  // Stored only once they are known to be good: a wrong token must not replace one that works.
  for (const { keep } of chosen) keep()
  const references = Object.fromEntries(chosen.map(({ key, variable }) => [key, `\${${variable}}`]))
  const replaced = write(places.config, name, { kind: name === platform ? undefined : platform, ...references, apiRoot })
  const test = await testMessage(terminal, given, opened, name)
  const failed = test !== null && 'problem' in test
  const variables = chosen.map(({ variable }) => variable)
  const result = { name, kind: platform, account, tokenVariable: variables[0], variables, file: places.config, replaced, test }
  terminal.result(result, () => [
    ...(account === null ? [] : [messages.thisIs(plainText(account))]),
    (replaced ? messages.channelReplaced : messages.channelSet)(name, shortPath(places.config, terminal.cwd)),
    ...(test !== null && !failed ? [messages.testSent(test.target)] : []),
  ])
  if (!terminal.json) {
    if (account === null) terminal.warn(messages.notChecked(kind.title))
    if (failed) terminal.warn(`${terminal.errPaint.yellow('!')} ${messages.testNotSent(plainText(test.problem))}`)
    terminal.say(
      messages.channelNext(account ?? name),
      ...(test === null ? [messages.testNext(name)] : []),
      labelled(words.next, 'parley requests list'),
    )
  }
  return failed ? exitCode.failed : exitCode.ok
}

async function getAccount(terminal: Terminal, { title }: ChannelKind, opened: OpenAccount, source: string): Promise<string> {
  const checked = await withProgress(terminal, terminal.words.messages.checkingToken(title), () => opened.check())
  if ('account' in checked) return checked.account
  const why = checked.problem.replace(/\.$/, '')
  if (checked.isPassing) throw new ParleyError('channel_unreachable', { platform: title, why })
  throw new ParleyError('channel_check_failed', { platform: title, why: `${why} (asked with the token from ${source})` })
}

type Tested = { target: string; messageId: string } | { target: string; problem: string }

async function testMessage(terminal: Terminal, given: Given, opened: OpenAccount, name: string): Promise<Tested | null> {
  const typed = given.text('test-target')
  if (typed === undefined) return null
  const { target } = parseTarget(typed, { channel: name })
  await opened.ready
  const { channel } = opened
  const text = { type: 'text' as const, text: terminal.words.messages.testText, format: 'plain' as const }
  const [request] = channel?.render({ parts: [{ blocks: [text] }] }, { address: channel.address.parse(target) ?? target })?.requests ?? []
  if (!channel || !request) return { target, problem: opened.state.problem ?? 'it could not be connected' }
  const result = await channel.send(request, { key: `test/${Date.now()}`, signal: AbortSignal.timeout(testPatienceMs) })
  return 'failure' in result ? { target, problem: result.failure.why } : { target, messageId: result.receipt.messageIds[0] ?? '' }
}

/** Longer than a person waits at a prompt for a reply that will not come. */
const testPatienceMs = 20_000
