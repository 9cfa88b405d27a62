import { foldLookAlikes } from './identity/look-alike.ts'

/** Fingerprint of a turn, kept to notice that a conversation goes round in circles. */
export type TurnPrint = { turn: number; at: number; text: string; isAcknowledgement: boolean; isRepeat: boolean }

export type LoopCause = 'repeated_turns' | 'acknowledgements' | 'too_fast'

export const loopLimits = {
  /** Turns that are compared with a new one, and in which repeats are counted. */
  turns: 8,
  /** Longest part of a turn that is compared. */
  chars: 1_000,
  repeats: 3,
  /** Turns of three exchanges of nothing but thanks. */
  acknowledgements: 6,
  turnsPerMinute: 10,
  similarityPercent: 90,
  /** A loop is closed at the latest so many turns after its first repeated turn. */
  closeAfterTurns: 6,
} as const

/** Case, punctuation, spacing and digits do not make a turn new: a counter in a sentence is still the same sentence. */
export const normaliseTurn = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\[\[[a-z0-9_]{1,40}\]\]/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\d+/g, '0')
    .trim()
    .slice(0, loopLimits.chars)

/** The form in which turns are compared: other alphabets, accents, spaces, numbers and pictures do not make a sentence new. */
export const foldTurn = (text: string): string =>
  foldLookAlikes(text.replace(/\[\[[a-z0-9_]{1,40}\]\]/g, ' ').replace(/[^\p{L}\p{M}]+/gu, '')).slice(0, loopLimits.chars)

/** Similarity of two folded texts by their pairs of characters: 0 nothing in common, 1 the same. */
export function similarity(one: string, other: string): number {
  if (one === other) return 1
  const pairs = countPairs(one)
  let common = 0
  let total = 0
  for (const [pair, count] of countPairs(other)) {
    common += Math.min(count, pairs.get(pair) ?? 0)
    total += count
  }
  for (const count of pairs.values()) total += count
  return total === 0 ? 0 : (2 * common) / total
}

function countPairs(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (let at = 0; at + 2 <= text.length; at += 1) {
    const pair = text.slice(at, at + 2)
    counts.set(pair, (counts.get(pair) ?? 0) + 1)
  }
  return counts
}

const polite = new Set(
  'ok okay sure yes yeah yep great good perfect nice cool awesome wonderful excellent thanks thank you thx ty so much very a lot again welcome youre you re are no problem worries anytime got it understood noted agreed sounds same to here bye goodbye see soon take care have day and i ll will do my pleasure cheers likewise indeed absolutely exactly right for the that is'.split(
    ' ',
  ),
)
/** Longer ones first: each is taken out of the text, and nothing may remain. */
const politeZh = '彼此彼此 不客气 没问题 不用谢 太好了 谢谢 感谢 收到 明白 再见 拜拜 可以 多谢 同意 非常 好 的 是 嗯 哦 了 你 您 也'.split(
  ' ',
)

/** A turn that only thanks, agrees or says goodbye. */
export function isAcknowledgement(text: string): boolean {
  const normal = normaliseTurn(text)
  if (normal === '') return true
  const words = normal.split(' ')
  return (
    words.length <= 14 &&
    (words.every((word) => polite.has(word)) ||
      (normal.length <= 30 && politeZh.reduce((rest, phrase) => rest.replaceAll(phrase, ''), words.join('')) === ''))
  )
}

/** The print of a new turn beside those before it. */
export function printTurn(recent: readonly TurnPrint[], turn: number, at: number, text: string): TurnPrint {
  const folded = foldTurn(text)
  const isRepeat = recent.some((before) => similarity(before.text, folded) * 100 >= loopLimits.similarityPercent)
  return { turn, at, text: folded, isAcknowledgement: isAcknowledgement(text), isRepeat }
}

export const keepPrint = (recent: readonly TurnPrint[], print: TurnPrint): TurnPrint[] => [...recent, print].slice(-keptPrints)

/** Enough for every count below. */
const keptPrints = Math.max(loopLimits.turns, loopLimits.turnsPerMinute + 1)

/** Why the latest turns are a loop; null if they are none. The first time both sides are told, the second time it is closed. */
export function findLoop(recent: readonly TurnPrint[]): LoopCause | null {
  const window = recent.slice(-loopLimits.turns)
  const latest = recent.at(-1)
  if (!latest) return null
  if (latest.isRepeat && window.filter(({ isRepeat }) => isRepeat).length >= loopLimits.repeats) return 'repeated_turns'
  const last = recent.slice(-loopLimits.acknowledgements)
  if (last.length === loopLimits.acknowledgements && last.every((print) => print.isAcknowledgement)) return 'acknowledgements'
  const minute = recent.filter(({ at }) => at > latest.at - 60_000)
  return minute.length > loopLimits.turnsPerMinute ? 'too_fast' : null
}

/** A loop by repeated turns that has gone on for so long that it is closed now, told or not. */
export function isLoopOverdue(recent: readonly TurnPrint[]): boolean {
  const repeats = recent.slice(-loopLimits.turns).filter(({ isRepeat }) => isRepeat)
  const [first] = repeats
  const turn = recent.at(-1)?.turn ?? 0
  return first !== undefined && repeats.length >= loopLimits.repeats && turn - first.turn >= loopLimits.closeAfterTurns
}
