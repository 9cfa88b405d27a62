import { createHmac } from 'node:crypto'
import type { ReplyPayload } from '../../message/reply-payload.ts'
import type { TurnNotes } from '../../ports/hooks.ts'
import type { Plugin, PluginHost, PluginParts } from '../plugin.ts'
import { choicesIn, known, type SettledChoice } from './decide.ts'
import { type EndControls, endControls, type PreparedRows } from './end-controls.ts'
import { hostStorage } from './host-storage.ts'
import type { Locale } from './labels.ts'
import { type Places, placesIn } from './places.ts'
import { readReplyEndConfig, type ReplyEndConfig, replyEndDefaults } from './plugin-config.ts'
import type { EndStorage } from './storage.ts'

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

const accountOf = ({ kind, channel }: At): string => `${kind}/${channel}`
const placeOf = (at: At & { address: string }): string => `${accountOf(at)}/${at.address}`

function partsFor(host: PluginHost, config: ReplyEndConfig): PluginParts {
  const storage = hostStorage(host.storage)
  const places = placesIn(host.storage)
  const accounts = new Map<string, EndControls>()
  const judging = new Map<string, Promise<unknown>>()
  let isFirstSweep = true

  function controlsOf(at: At): EndControls {
    const account = accountOf(at)
    const made = accounts.get(account) ?? mount(host, config, at, storage.of(account))
    accounts.set(account, made)
    return made
  }

  const controlsAt = (place: string): EndControls => {
    const [kind = '', channel = ''] = place.split('/')
    return controlsOf({ kind, channel })
  }

  /** The same reply at the same place has the same control, however often it is asked for; nobody can guess its name. */
  const idKey = host.secret('control ids')
  const idOf = (reply: At & { address: string; dialog: string; turn: number }): string =>
    createHmac('sha256', idKey)
      .update(JSON.stringify([reply.dialog, reply.turn, placeOf(reply)]))
      .digest()
      .subarray(0, 12)
      .toString('base64url')

  const isOn = ({ kind, isPrivate, asker }: { kind: string; isPrivate: boolean; asker: string | null }): boolean =>
    config.channels.includes(kind) && (isPrivate || kind === 'web' || (config.groups === 'asker' && asker !== null))

  return {
    async prepareReply(reply) {
      const { kind, channel, address, asker, dialog, turn, language } = reply
      const place = placeOf(reply)
      await places.note(place, dialog)
      if (!isOn(reply)) return null
      const controls = controlsOf({ kind, channel })
      const id = idOf(reply)
      // The page asks whenever somebody looks; what was chosen or is over is not shown again.
      const found = kind === 'web' ? known(await controls.read(place), id) : undefined
      if (found && 'state' in found && found.state !== 'offered') return null
      const chosen = await chosenAt((await places.of(dialog)).filter((other) => other !== place))
      if (chosen.some((choice) => choice.turn === turnName(dialog, turn))) return null
      const prepared = await controls.prepare({
        id,
        conversation: place,
        session: dialog,
        turn: turnName(dialog, turn),
        replyId: turnName(dialog, turn),
        chat: address,
        locale: config.locale === 'auto' ? localeOf(language) : config.locale,
        ...(asker !== null && kind !== 'web' && { asker }),
      })
      return withButtons(reply.message, prepared)
    },

    async replyDelivered(reply) {
      const controls = controlsOf(reply)
      const last = reply.messageIds.at(-1)
      if (last === undefined) await controls.unattached(placeOf(reply), idOf(reply), '')
      else await controls.offered(placeOf(reply), idOf(reply), last)
      // Somebody may have chosen at another place while this one was on its way.
      await settleFrom(await places.besides(placeOf(reply)), [placeOf(reply)])
    },

    async messageReceived({ kind, channel, inbound }) {
      const place = placeOf({ kind, channel, address: inbound.address })
      const text = inbound.text === '' ? null : inbound.text
      // Where the buttons are off there may still be some from before; where there never were any, nothing is kept.
      const isHere = isOn({ kind, isPrivate: inbound.isPrivate, asker: inbound.from.id })
      const update = orderOf(inbound)
      if (isHere || (await storage.get(place)))
        await controlsOf({ kind, channel }).typed(place, update === null ? { update, key: inbound.id, text } : { update, text })
      await typedElsewhere(await places.besides(place), `${channel}:${inbound.id}`, text)
    },

    saidInDialog: async ({ dialog, text, via, key }) => typedElsewhere(await places.of(dialog), `${via}:${key}`, text),

    async onTap({ kind, channel, tap }) {
      const place = placeOf({ kind, channel, address: tap.address })
      const verdict = await oneByOne((await places.dialogAt(place)) ?? place, async () => {
        const others = await places.besides(place)
        // A crash may have come between a choice elsewhere and here.
        await settleFrom(others, [place])
        const judged = await controlsOf({ kind, channel }).judge({
          conversation: place,
          update: orderOf(tap),
          query: tap.tap,
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
    const found = await Promise.all(which.map((place) => storage.get(place)))
    return found.flatMap((stored) => (stored ? choicesIn(stored.controls) : []))
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
  const told = await Promise.all((await places.of(dialog)).map((place) => controlsAt(place).beginTurn(place, turnName(dialog, turn))))
  // One dialog may be shown at several places: what somebody chose last counts.
  const [latest] = told
    .filter(({ closure }) => closure.state !== 'open')
    .toSorted((one, other) => (other.closure.at ?? 0) - (one.closure.at ?? 0))
  if (!latest) return null
  return { lines: latest.promptLine === null ? [] : [latest.promptLine], followUps: latest.followUpsAllowed ? 'allowed' : 'suppressed' }
}

const localeOf = (language: 'en' | 'zh'): Locale => (language === 'zh' ? 'zh-Hant' : 'en')

/** A platform that counts what it tells says so in the name, as Telegram does. */
function orderOf({ id, order }: { id: string; order?: number }): number | null {
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
