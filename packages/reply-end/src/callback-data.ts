import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { EndChoice } from './labels.ts'

/**
 * `pe1:<c|s>:<id>:<mac>`, 34 bytes. Telegram itself warns that the data of a tap need not be on any button, so a MAC says
 * that it was made here, for this account, this chat, this control and this choice.
 */
const version = 'pe1'
const idBytes = 12
const macBytes = 8

const letters: Record<EndChoice, 'c' | 's'> = { continue: 'c', stop: 's' }
const choices: Record<string, EndChoice> = { c: 'continue', s: 'stop' }

export const newControlId = (random: (bytes: number) => Buffer = randomBytes): string => random(idBytes).toString('base64url')

export type SignedPlace = { key: string; account: string; chat: string }

export function encodeChoice({ key, account, chat }: SignedPlace, id: string, choice: EndChoice): string {
  return `${version}:${letters[choice]}:${id}:${mac({ key, account, chat }, id, letters[choice])}`
}

function mac({ key, account, chat }: SignedPlace, id: string, letter: string): string {
  // Each part with its length, so that no two different lists of parts read the same.
  const text = [account, chat, id, letter].map((part) => `${Buffer.byteLength(part)}:${part}`).join('|')
  return createHmac('sha256', key).update(text).digest().subarray(0, macBytes).toString('base64url')
}

export type ReadChoice =
  /** Not one of these buttons: pass it on. */
  | { kind: 'other' }
  /** Ours, but of another version, broken, or not made here. */
  | { kind: 'unusable'; why: 'version' | 'shape' | 'forged' }
  | { kind: 'choice'; id: string; choice: EndChoice }

export function readChoice(place: SignedPlace, data: string): ReadChoice {
  const [, found] = /^pe(\d*):/.exec(data) ?? []
  if (found === undefined) return { kind: 'other' }
  if (`pe${found}` !== version) return { kind: 'unusable', why: 'version' }
  const [, letter = '', id = '', given = ''] = /^pe1:([cs]):([\w-]{16}):([\w-]{11})$/.exec(data) ?? []
  const choice = choices[letter]
  if (choice === undefined) return { kind: 'unusable', why: 'shape' }
  const isOurs = timingSafeEqual(Buffer.from(given), Buffer.from(mac(place, id, letter)))
  return isOurs ? { kind: 'choice', id, choice } : { kind: 'unusable', why: 'forged' }
}
