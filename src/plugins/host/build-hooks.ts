import { type Hooks, type NamedNotes, noHooks, noNotes, type TapOutcome, type TurnNotes } from '../../ports/hooks.ts'
import type { Guard } from './guard.ts'
import type { PluginParts, PluginTap } from './plugin.ts'
import { pluginLimits } from './plugin-limits.ts'
import { pluginVia } from '../../ports/hooks.ts'
import { usableMessage } from './usable-message.ts'

export type GuardedPlugin = { parts: PluginParts; guard: Guard }

const { hookMs, prepareMs, afterwardsMs } = pluginLimits

/** Hooks of all plugins, each behind its guard, in the order of parley.yaml. Without plugins they cost nothing. */
export function buildHooks(plugins: readonly GuardedPlugin[]): Hooks {
  if (plugins.length === 0) return noHooks
  const having = <Part extends keyof PluginParts>(part: Part): (GuardedPlugin & { parts: Required<Pick<PluginParts, Part>> })[] =>
    plugins.filter(({ parts }) => parts[part] !== undefined) as (GuardedPlugin & { parts: Required<Pick<PluginParts, Part>> })[]

  const [preparing, told, reading, hearing] = [
    having('prepareReply'),
    having('replyDelivered'),
    having('messageReceived'),
    having('saidInDialog'),
  ]
  const [tapping, noting, owning, writing] = [having('onTap'), having('turnNotes'), having('ownsData'), having('transcribe')]
  const [rewriting, acting] = [having('prepareMessage'), having('onAction')]

  return {
    async prepareReply(reply) {
      let { message } = reply
      for (const { parts, guard } of preparing) {
        const copy = structuredClone({ ...reply, message })
        const prepared = await guard.call('prepareReply', hookMs, async () =>
          usableMessage(await parts.prepareReply(copy), message, guard.plugin),
        )
        message = prepared?.value ?? message
      }
      return message
    },
    preparesMessages: () => rewriting.length > 0,
    async prepareMessage(outgoing) {
      let { message } = outgoing
      const { purpose } = outgoing
      for (const { parts, guard } of rewriting) {
        const copy = structuredClone({ ...outgoing, message })
        const prepared = await guard.call('prepareMessage', purpose === 'draft' ? hookMs : prepareMs, async () =>
          usableMessage(await parts.prepareMessage(copy), message, guard.plugin, purpose),
        )
        message = prepared?.value ?? message
      }
      return message
    },
    async actionTapped({ plugin, ...tap }) {
      const own = acting.find(({ guard }) => guard.plugin === plugin)
      const outcome = await own?.guard.call('onAction', hookMs, async () =>
        getTap(await own.parts.onAction(structuredClone(tap)), own.guard),
      )
      return outcome?.value ?? null
    },
    async replyDelivered(reply) {
      for (const { parts, guard } of told)
        await guard.call('replyDelivered', hookMs, () => parts.replyDelivered({ ...reply, messageIds: [...reply.messageIds] }))
    },
    async messageReceived(from) {
      for (const { parts, guard } of reading)
        await guard.call('messageReceived', hookMs, () => parts.messageReceived(structuredClone(from)))
    },
    async transcribe(voice) {
      for (const { parts, guard } of writing) {
        const words = await guard.call('transcribe', pluginLimits.transcribeMs, async () =>
          getTranscript(await parts.transcribe({ ...voice })),
        )
        if (words?.value) return words.value
      }
      return null
    },
    async saidInDialog(said) {
      // A plugin that answers what plugins say would never end.
      if (said.via === pluginVia) return
      for (const { parts, guard } of hearing) await guard.call('saidInDialog', hookMs, () => parts.saidInDialog({ ...said }))
    },
    async tapped({ channel, kind, tap }) {
      for (const { parts, guard } of tapping) {
        const from = { channel: channel.name, kind, tap: structuredClone(tap) }
        const tapOutcome = await guard.call('onTap', hookMs, async () => getTap(await parts.onTap(from), guard))
        if (tapOutcome?.value) return tapOutcome.value
      }
      return null
    },
    async turnNotes(turn) {
      const notes: NamedNotes[] = []
      for (const { parts, guard } of noting) {
        const pluginNotes = await guard.call('turnNotes', hookMs, async () => getNotes(await parts.turnNotes({ ...turn })))
        if (!pluginNotes?.value) continue
        const { lines, followUps } = pluginNotes.value
        notes.push({ lines: lines.map((text) => ({ plugin: guard.plugin, text })), followUps })
      }
      if (notes.length === 0) return noNotes
      return {
        lines: notes.flatMap(({ lines }) => lines),
        followUps: notes.some(({ followUps }) => followUps === 'suppressed') ? 'suppressed' : 'allowed',
      }
    },
    ownsData: (value) => owning.some(({ parts, guard }) => guard.callNow('ownsData', () => parts.ownsData(value))?.value === true),
  }
}

// These look at what a plugin returned, and are called under its guard: even looking at it may throw.

function getTap(made: PluginTap | null | undefined, guard: Guard): TapOutcome | null {
  if (made === null || made === undefined) return null
  const { toast, isTaken, act } = made
  const isToast = toast === null || (typeof toast === 'string' && toast.length <= pluginLimits.toastChars)
  if (!isToast || (act !== undefined && typeof act !== 'function')) throw new Error('it returned neither null nor { toast, act }')
  return {
    toast,
    ...(isTaken === undefined ? {} : { isTaken: isTaken === true }),
    async act() {
      if (act) await guard.call('onTap.act', afterwardsMs, () => act.call(made))
    },
  }
}

function getNotes(made: TurnNotes | null | undefined): TurnNotes | null {
  if (made === null || made === undefined) return null
  const { lines, followUps } = made
  if (!Array.isArray(lines) || (followUps !== 'allowed' && followUps !== 'suppressed'))
    throw new Error('it returned neither null nor { lines, followUps }')
  const { noteLines, noteChars } = pluginLimits
  const isLine = (line: unknown): boolean => typeof line === 'string' && line.length <= noteChars && !line.includes('\n')
  if (lines.length > noteLines || !lines.every(isLine))
    throw new Error(`it returned something other than at most ${noteLines} lines of ${noteChars} characters`)
  return { lines: [...lines], followUps }
}

function getTranscript(made: string | null | undefined): string | null {
  if (made === null || made === undefined) return null
  if (typeof made !== 'string') throw new Error('it returned neither null nor a text')
  return made.slice(0, pluginLimits.transcriptChars).toWellFormed()
}
