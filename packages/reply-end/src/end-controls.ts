import { encodeChoice, newControlId, readChoice } from './callback-data.ts'
import {
  type Closure,
  type ConversationControls,
  type Effect,
  emptyControls,
  endControlLimits,
  type PreparedControl,
} from './control-record.ts'
import {
  beginTurn,
  expire,
  known,
  leaveUnattached,
  offer,
  prepare,
  type Said,
  saidBefore,
  settle,
  type SettledChoice,
  tap,
  type TapOutcome,
  toastEffect,
  type,
} from './decide.ts'
import { chooseLocale, choiceRows, type EndChoice, type LabelSize, type Locale } from './labels.ts'
import { type EndPolicy, endPolicies, turnPolicy, type TurnPolicy } from './policy.ts'
import type { EndStorage } from './storage.ts'

/** Calls to the platform. A rejection means that a retry may succeed. */
export type EndActions = {
  answer(query: string, text: string): Promise<void>
  /** Leaves exactly these rows of buttons on the message; an empty list takes all away. The text is never touched. */
  leaveRows(chat: string, message: string, rows: readonly (readonly object[])[]): Promise<void>
}

/** `id` is the same each time the same choice is told, which after a crash may be twice. */
export type EndChoiceEvent = { id: string; conversation: string; turn: string; choice: EndChoice; by: string; at: number }

export type EndControlsOptions = {
  /** Signs the data of the buttons. A secret that stays the same after a restart. */
  key: string
  account: string
  channel: string
  storage: EndStorage
  actions: EndActions
  now?: () => number
  log?: (message: string, fields?: Record<string, unknown>) => void
  locale?: Locale
  labels?: LabelSize
  /** A disabled button that shows what was chosen stays. Off: a host cannot see whether the client knows such buttons. */
  marker?: boolean
  expireAfterMs?: number
  /** Called with each choice. By default a choice is only recorded. */
  onEndChoice?: (choice: EndChoiceEvent) => Promise<EndChoiceReply> | EndChoiceReply
  onWake?: (choice: EndChoiceEvent & { note?: string }) => Promise<void> | void
}

type EndChoiceReply = { wake?: boolean; note?: string } | undefined | void

export type PrepareRequest = Pick<PreparedControl, 'conversation' | 'session' | 'turn' | 'replyId' | 'chat'> & {
  topic?: string
  asker?: string
  /** When the buttons are added to a message that is already there. */
  message?: string
  above?: readonly (readonly object[])[]
  /** 16 base64url characters that cannot be guessed. The same name gives the same buttons. */
  id?: string
  /** Where nothing else tells the language; instead of the one for all. */
  locale?: Locale
}

export type PreparedRows = { id: string; locale: Locale; rows: { label: string; choice: EndChoice; data: string }[][] }

export type TapRequest = {
  conversation: string
  /** Null where the platform counts nothing. */
  update: number | null
  query: string
  chat: string
  message: string
  by: string
  data: string
  shown?: readonly (readonly object[])[]
}

/** Result of a tap: the toast, and the action to run after it was shown. */
export type TapVerdict = { outcome: TapOutcome | 'other' | 'forged'; toast: string | null; act(): Promise<void> }

export type EndControls = ReturnType<typeof endControls>

/**
 * The reply-end controls of one account. Every method first makes its decision durable by one compare-and-set and then acts;
 * what is left undone by a crash is in the storage, and done by `sweep`.
 */
export function endControls(options: EndControlsOptions) {
  const { key, account, channel, storage, actions, now = Date.now, log = () => {}, locale: fallback = 'en' } = options
  const { labels = 'full', marker = false, expireAfterMs = endControlLimits.expireAfterMs } = options
  const acting = new Map<string, Promise<void>>()

  async function change<T>(
    conversation: string,
    decide: (controls: ConversationControls) => { controls: ConversationControls } & T,
  ): Promise<T> {
    for (let tries = 0; tries < endControlLimits.conflictTries; tries += 1) {
      const stored = await storage.get(conversation)
      const before = stored?.controls ?? emptyControls(conversation)
      const decided = decide(before)
      if (decided.controls === before || (await storage.put(decided.controls, stored?.rev ?? 0))) return decided
    }
    throw new Error(`The controls of ${conversation} were changed by others ${endControlLimits.conflictTries} times in a row.`)
  }

  /** One at a time for each conversation, so that nothing is done twice by the same process. */
  function act(conversation: string): Promise<void> {
    const action = (acting.get(conversation) ?? Promise.resolve()).then(() => actOnce(conversation))
    const settled = action.catch((error: unknown) => log('Reply-end controls: left for later.', { conversation, error: toWords(error) }))
    acting.set(conversation, settled)
    void settled.then(() => acting.get(conversation) === settled && acting.delete(conversation))
    return settled
  }

  async function actOnce(conversation: string): Promise<void> {
    const effects = (await storage.get(conversation))?.controls.effects ?? []
    if (effects.length === 0) return
    const outcomes = new Map<Effect, 'done' | 'again'>()
    let note: { turn: string; at: number; text: string } | null = null
    for (const effect of inOrder(effects)) {
      try {
        const outcome = await perform(conversation, effect)
        if (outcome && effect.does === 'end-choice') note = { turn: effect.turn, at: effect.at, text: outcome }
        outcomes.set(effect, 'done')
      } catch (error) {
        log('Reply-end controls: could not be done.', { conversation, does: effect.does, tries: effect.tries + 1, error: toWords(error) })
        // A retry would come too late for a toast.
        outcomes.set(effect, effect.does === 'toast' || effect.tries + 1 >= endControlLimits.effectTries ? 'done' : 'again')
      }
    }
    const keys = new Map([...outcomes].map(([effect, outcome]) => [effect.key, outcome]))
    await change(conversation, (controls) => ({
      controls: {
        ...controls,
        effects: controls.effects.flatMap((effect) => {
          const outcome = effects.some((one) => one.key === effect.key && isSameEffect(one, effect)) ? keys.get(effect.key) : undefined
          if (outcome === 'done') return []
          return outcome === 'again' ? [{ ...effect, tries: effect.tries + 1 }] : [effect]
        }),
        closure:
          note && controls.closure.turn === note.turn && controls.closure.at === note.at
            ? { ...controls.closure, note: note.text }
            : controls.closure,
      },
    }))
  }

  async function perform(conversation: string, effect: Effect): Promise<string | undefined> {
    switch (effect.does) {
      case 'toast':
        await actions.answer(effect.query, effect.text)
        return undefined
      case 'strip':
        await actions.leaveRows(effect.chat, effect.message, effect.shown)
        return undefined
      case 'end-choice': {
        const { control: id, turn, choice, by, at } = effect
        const event = { id, conversation, turn, choice, by, at }
        const reply = await options.onEndChoice?.(event)
        if (reply?.wake === true) await options.onWake?.({ ...event, ...(reply.note !== undefined && { note: reply.note }) })
        return reply?.note
      }
    }
  }

  /** Never throws: the tap is already answered. */
  async function performAll(conversation: string, effects: readonly Effect[]): Promise<void> {
    for (const effect of effects) {
      await perform(conversation, effect).catch((error: unknown) =>
        log('Reply-end controls: could not be done.', { conversation, does: effect.does, error: toWords(error) }),
      )
    }
  }

  /**
   * Makes the decision about a tap durable. `act` does the rest and begins with the toast, so a host that shows it in its
   * own way has an `answer` that does nothing.
   */
  async function judge(request: TapRequest): Promise<TapVerdict> {
    const { conversation, data, ...made } = request
    const match = readChoice({ key, account, chat: request.chat }, data)
    if (match.kind === 'other') return { outcome: 'other', toast: null, act: async () => {} }
    if (match.kind === 'unusable') {
      const toast = toastEffect(request.query, chooseLocale(await read(conversation), fallback), 'stale')
      const outcome = match.why === 'forged' ? 'forged' : 'stale'
      return { outcome, toast: toast.text, act: () => performAll(conversation, [toast]) }
    }
    const complete = { ...made, at: now(), id: match.id, choice: match.choice }
    let isKept = false
    const { controls, outcome, effects } = await change(conversation, (before) => {
      const decided = tap(before, complete, { marker, expireAfterMs, fallback })
      isKept = decided.controls !== before || decided.outcome === 'duplicate'
      return decided
    })
    const toast = effects.find((effect) => effect.does === 'toast' && effect.query === request.query)
    // A crash may have come between a toast that was ticked off here and the host that had to show it.
    const again = outcome === 'duplicate' ? saidBefore(controls, complete, fallback) : null
    return {
      outcome,
      toast: toast?.does === 'toast' ? toast.text : again,
      act: () => (isKept ? act(conversation) : performAll(conversation, effects)),
    }
  }

  const read = async (conversation: string): Promise<ConversationControls> =>
    (await storage.get(conversation))?.controls ?? emptyControls(conversation)

  return {
    /** Makes the two buttons before the reply is sent. */
    async prepare({ id = newControlId(), locale: requested = fallback, ...request }: PrepareRequest): Promise<PreparedRows> {
      const { locale } = await change(request.conversation, (controls) => {
        const chosen = known(controls, id)?.locale ?? chooseLocale(controls, requested)
        return { controls: prepare(controls, { ...request, id, account, channel, locale: chosen }), locale: chosen }
      })
      const place = { key, account, chat: request.chat }
      const rows = choiceRows(locale, labels).map((row) => row.map((one) => ({ ...one, data: encodeChoice(place, id, one.choice) })))
      return { id, locale, rows }
    },
    /** The reply is there with its keyboard; the control before it is over. */
    async offered(conversation: string, id: string, message: string): Promise<void> {
      await change(conversation, (controls) => ({ controls: offer(controls, id, message, now(), expireAfterMs) }))
      void act(conversation)
    },
    /** The reply is there, the keyboard is not. */
    async unattached(conversation: string, id: string, message: string): Promise<void> {
      await change(conversation, (controls) => ({ controls: leaveUnattached(controls, id, message, now()) }))
      void act(conversation)
    },
    /** Call it when a message arrives in the conversation. The message need not wait for it. */
    async typed(conversation: string, said: Said): Promise<void> {
      await change(conversation, (controls) => ({ controls: type(controls, said) }))
      void act(conversation)
    },
    /** The same replies were decided elsewhere; their buttons go here too. */
    async settled(conversation: string, chosen: readonly SettledChoice[]): Promise<void> {
      let isChanged = false
      await change(conversation, (before) => {
        const controls = settle(before, chosen, { marker })
        isChanged = controls !== before
        return { controls }
      })
      if (isChanged) void act(conversation)
    },
    judge,
    /** A tap, from the decision to the last effect. `other`: not one of these buttons; pass it on. */
    async tapped(request: TapRequest): Promise<TapVerdict['outcome']> {
      const { outcome, act: finish } = await judge(request)
      await finish()
      return outcome
    },
    closure: async (conversation: string): Promise<Closure> => (await read(conversation)).closure,
    /** For schedulers, nudges and archives. */
    policy: async (conversation: string): Promise<EndPolicy> => endPolicies[(await read(conversation)).closure.state],
    /** For the turn that starts: told once, and the same again when the same turn asks again. */
    async beginTurn(conversation: string, turn: string): Promise<TurnPolicy> {
      return turnPolicy((await change(conversation, (controls) => beginTurn(controls, turn))).closure)
    },
    async setLocale(conversation: string, locale: Locale | null): Promise<void> {
      await change(conversation, (controls) => ({ controls: { ...controls, localeSetting: locale } }))
    },
    /** Ends what has expired and does what a crash left undone. Call it at the start and now and then. */
    async sweep(): Promise<void> {
      for (const conversation of await storage.conversations()) {
        await change(conversation, (controls) => ({ controls: expire(controls, now()) }))
        await act(conversation)
      }
    },
    read,
    /** Resolves when nothing is being done any more. */
    async idle(): Promise<void> {
      while (acting.size > 0) await Promise.all(acting.values())
    },
  }
}

const rank: Record<Effect['does'], number> = { toast: 0, strip: 1, 'end-choice': 2 }
const inOrder = (effects: readonly Effect[]): Effect[] => effects.toSorted((one, other) => rank[one.does] - rank[other.does])
const isSameEffect = (one: Effect, other: Effect): boolean =>
  JSON.stringify({ ...one, tries: 0 }) === JSON.stringify({ ...other, tries: 0 })
const toWords = (error: unknown): string => (error instanceof Error ? error.message : String(error))
