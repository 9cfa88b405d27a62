import type { Language } from '../../shapes/language.ts'
import { createHmac } from 'node:crypto'
import type { ReplyPayload } from '../../chats/message/reply-payload.ts'
import type { TurnNotes } from '../../ports/hooks.ts'
import type { Plugin, PluginHost, PluginParts } from '../host/plugin.ts'
import { choicesIn, known, type SettledChoice } from '../../../packages/reply-end/src/decide.ts'
import { type EndControls, endControls, type PreparedRows } from '../../../packages/reply-end/src/end-controls.ts'
import { hostStorage } from './host-storage.ts'
import type { Locale } from '../../../packages/reply-end/src/labels.ts'
import { type Places, placesIn } from './places.ts'
import { readReplyEndConfig, type ReplyEndConfig, replyEndDefaults } from './plugin-config.ts'
import type { EndStorage } from '../../../packages/reply-end/src/storage.ts'

/** Continue or stop under each reply, mounted in Parley by nothing but what any plugin gets. */
export const replyEndPlugin: Plugin<ReplyEndConfig> = {
  name: 'reply-end-controls',
  version: '1.0.0',
  api: 1,
  about: 'Two buttons under each reply: continue, or stop here. Typing always wins.',
  defaults: replyEndDefaults,
  checkConfig: readReplyEndConfig,
  setUp: partsFor,
}

/** An account or the page; its places are named after it. */
type At = { kind: string; channel: string }

const getAccount = ({ kind, channel }: At): string => `${kind}/${channel}`
const toPlace = (at: At & { address: string }): string => `${getAccount(at)}/${at.address}`

function partsFor(host: PluginHost, config: ReplyEndConfig): PluginParts {
  const storage = hostStorage(host.storage)
  const places = placesIn(host.storage)
  const accounts = new Map<string, EndControls>()
  const judging = new Map<string, Promise<unknown>>()
  let isFirstSweep = true

  function listControls(at: At): EndControls {
    const account = getAccount(at)
    const mounted = accounts.get(account) ?? mount(host, config, at, storage.of(account))
    accounts.set(account, mounted)
    return mounted
  }

  const controlsAt = (place: string): EndControls => {
    const [kind = '', channel = ''] = place.split('/')
    return listControls({ kind, channel })
  }

  /** The same reply at the same place has the same control, however often it is asked for. Its name cannot be guessed. */
  const idKey = host.secret('control ids')
  const getId = (reply: At & { address: string; dialog: string; turn: number }): string =>
    createHmac('sha256', idKey)
      .update(JSON.stringify([reply.dialog, reply.turn, toPlace(reply)]))
      .digest()
      .subarray(0, 12)
      .toString('base64url')

  const isOn = ({ kind, isPrivate, asker }: { kind: string; isPrivate: boolean; asker: string | null }): boolean =>
    config.channels.includes(kind) && (isPrivate || kind === 'web' || (config.groups === 'asker' && asker !== null))

  return {
    async prepareReply(reply) {
      const { kind, channel, address, asker, dialog, turn, language } = reply
      const place = toPlace(reply)
      await places.note(place, dialog)
      if (!reply.hasButtons || !isOn(reply)) return null
      const controls = listControls({ kind, channel })
      const id = getId(reply)
      // The page asks each time it is opened. Closed controls are not shown again.
      const match = kind === 'web' ? known(await controls.read(place), id) : undefined
      if (match && 'state' in match && match.state !== 'offered') return null
      const chosen = await chosenAt((await places.of(dialog)).filter((other) => other !== place))
      if (chosen.some((choice) => choice.turn === turnName(dialog, turn))) return null
      const prepared = await controls.prepare({
        id,
        conversation: place,
        session: dialog,
        turn: turnName(dialog, turn),
        replyId: turnName(dialog, turn),
        chat: address,
        locale: config.locale === 'auto' ? getLocale(language) : config.locale,
        ...(asker !== null && kind !== 'web' && { asker }),
      })
      return withButtons(reply.message, prepared)
    },

    async replyDelivered(reply) {
      const controls = listControls(reply)
      const last = reply.messageIds.at(-1)
      if (last === undefined) await controls.unattached(toPlace(reply), getId(reply), '')
      else await controls.offered(toPlace(reply), getId(reply), last)
      // A choice may have been made at another address while this reply was being sent.
      await settleFrom(await places.besides(toPlace(reply)), [toPlace(reply)])
    },

    async messageReceived({ kind, channel, inbound }) {
      const place = toPlace({ kind, channel, address: inbound.address })
      const text = inbound.text === '' ? null : inbound.text
      // Where the buttons are off there may still be some from before; where there never were any, nothing is kept.
      const isHere = isOn({ kind, isPrivate: inbound.isPrivate, asker: inbound.from.id })
      const update = getOrder(inbound)
      if (isHere || (await storage.get(place)))
        await listControls({ kind, channel }).typed(place, update === null ? { update, key: inbound.id, text } : { update, text })
      await typedElsewhere(await places.besides(place), `${channel}:${inbound.id}`, text)
    },

    saidInDialog: async ({ dialog, text, via, key }) => typedElsewhere(await places.of(dialog), `${via}:${key}`, text),

    async onTap({ kind, channel, tap }) {
      const place = toPlace({ kind, channel, address: tap.address })
      const verdict = await oneByOne((await places.dialogAt(place)) ?? place, async () => {
        const others = await places.besides(place)
        // A crash may have come between a choice elsewhere and here.
        await settleFrom(others, [place])
        const judged = await listControls({ kind, channel }).judge({
          conversation: place,
          update: getOrder(tap),
          query: tap.id,
          chat: tap.address,
          message: tap.messageId,
          by: tap.from.id,
          data: tap.value,
        })
        if (judged.outcome === 'accepted' || judged.outcome === 'duplicate') await settleFrom([place], others)
        return judged
      })
      return verdict.outcome === 'other' ? null : { toast: verdict.toast, isTaken: verdict.outcome === 'accepted', act: verdict.act }
    },

    turnNotes: ({ dialog, turn }) => notesFor(places, controlsAt, dialog, turn),
    ownsData: (value) => /^pe1:[cs]:[\w-]{16}:[\w-]{11}$/.test(value),

    async sweep() {
      if (isFirstSweep) await storage.findAll()
      isFirstSweep = false
      for (const place of await storage.conversations()) controlsAt(place)
      for (const controls of accounts.values()) await controls.sweep()
    },

    async close() {
      for (const controls of accounts.values()) await controls.idle()
    },
  }

  async function chosenAt(which: readonly string[]): Promise<SettledChoice[]> {
    const documents = await Promise.all(which.map((place) => storage.get(place)))
    return documents.flatMap((stored) => (stored ? choicesIn(stored.controls) : []))
  }

  /** One reply is shown at several places, and is decided once: what was chosen at some counts at the others. */
  async function settleFrom(which: readonly string[], others: readonly string[]): Promise<void> {
    const chosen = await chosenAt(which)
    if (chosen.length > 0) for (const place of others) await controlsAt(place).settled(place, chosen)
  }

  /** Two taps on the same reply at two places must not both be the first. */
  function oneByOne<Result>(key: string, act: () => Promise<Result>): Promise<Result> {
    const result = (judging.get(key) ?? Promise.resolve()).then(act)
    const over = result.catch(() => {})
    judging.set(key, over)
    void over.then(() => judging.get(key) === over && judging.delete(key))
    return result
  }

  async function typedElsewhere(others: readonly string[], key: string, text: string | null): Promise<void> {
    for (const place of others) if (await storage.get(place)) await controlsAt(place).typed(place, { update: null, key, text })
  }
}

function mount(host: PluginHost, config: ReplyEndConfig, { kind, channel }: At, storage: EndStorage): EndControls {
  return endControls({
    key: host.secret('callback data'),
    account: channel,
    channel: kind,
    storage,
    now: () => host.clock.now(),
    log: (message, fields) => host.log('info', message, fields),
    labels: config.labels,
    marker: config.marker,
    expireAfterMs: config.expireAfterHours * 60 * 60 * 1_000,
    ...(config.locale !== 'auto' && { locale: config.locale }),
    onEndChoice: ({ conversation, turn, choice }) => host.log('info', 'a choice was made', { place: conversation, turn, choice }),
    actions: {
      // The host shows the toast: it is handed back with the tap.
      answer: async () => {},
      leaveRows: (address, messageId, rows) => host.stripControls({ channel, address, messageId, ...markerIn(rows) }),
    },
  })
}

/** A dialog may move to another place, where its turns are counted anew. */
const turnName = (dialog: string, turn: number): string => `${dialog}:${turn}`

async function notesFor(
  places: Places,
  controlsAt: (place: string) => EndControls,
  dialog: string,
  turn: number,
): Promise<TurnNotes | null> {
  const notes = await Promise.all((await places.of(dialog)).map((place) => controlsAt(place).beginTurn(place, turnName(dialog, turn))))
  // One dialog may be shown at several places: the last choice counts.
  const [latest] = notes
    .filter(({ closure }) => closure.state !== 'open')
    .toSorted((one, other) => (other.closure.at ?? 0) - (one.closure.at ?? 0))
  if (!latest) return null
  return { lines: latest.promptLine === null ? [] : [latest.promptLine], followUps: latest.followUpsAllowed ? 'allowed' : 'suppressed' }
}

const locales: Partial<Record<Language, Locale>> = { zh: 'zh-Hant' }

const getLocale = (language: Language): Locale => locales[language] ?? 'en'

/** A platform that counts what it tells says so in the name, as Telegram does. */
function getOrder({ id, order }: { id: string; order?: number }): number | null {
  if (order !== undefined) return order
  const [, number] = /^(?:update:)?(\d{1,15})$/.exec(id) ?? []
  return number === undefined ? null : Number(number)
}

const markerIn = (rows: readonly (readonly object[])[]): { marker?: string } => {
  const [marker] = rows.flat().filter((button): button is { text: string } => 'disabled' in button && 'text' in button)
  return marker ? { marker: marker.text } : {}
}

/** Each row is a block of its own, below everything the agent wrote; where room is short, ours go first. */
function withButtons(message: ReplyPayload, { rows }: PreparedRows): ReplyPayload {
  const blocks = rows.map((row) => ({
    type: 'buttons' as const,
    buttons: row.map(({ label, data }) => ({
      label,
      action: { type: 'callback' as const, value: data },
      priority: -1,
      // Not used up with the agent's own buttons: they go by `stripControls` alone.
      reusable: true,
    })),
  }))
  return { ...message, presentation: { ...message.presentation, blocks: [...(message.presentation?.blocks ?? []), ...blocks] } }
}
