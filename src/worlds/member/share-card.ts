import { worldOwnerTexts } from '../../words/index.ts'
import type { Language } from '../../shapes/language.ts'
import type { ReportView } from '../../shapes/worlds.ts'
import { formatIdentity, type PublicIdentity } from '../rules/identity/public-identity.ts'

export const shareCardLimits = { lineChars: 140, nameChars: 46, rowChars: 28, valueChars: 30 } as const

type Facts = Omit<NonNullable<ReportView['facts']>, 'quotes'>

type Card = { you: string; facts: Facts; at: number; line: string | null; language: Language; timeZone: string }

/**
 * A picture of a conversation for others to see: public identities and what the runtime counted. Neither words of the peer nor
 * the report, which may quote them, are in it; `line` is the owner's own.
 */
export function renderShareCard({ you, facts, at, line, language, timeZone }: Card): string {
  const { card, endedBy, votes } = worldOwnerTexts[language]
  const day = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'zh-CN', { dateStyle: 'long', timeZone }).format(at)
  const likes = facts.likes
  const numbers: [label: string, value: string][] = [
    [card.turns, String(facts.turns)],
    [card.ended, endedBy[facts.endedBy]],
    [card.feedback, `${votes[likes.given ?? 'none']} / ${votes[likes.received ?? 'none']}`],
  ]
  const rows = line === null || line.trim() === '' ? [] : wrap(line.trim().slice(0, shareCardLimits.lineChars).toWellFormed(), 2)
  return picture(`${you} · ${facts.peer}`, [
    [30, soft, 128, card.title],
    [52, strong, 204, shortenName(you)],
    [52, strong, 272, shortenName(facts.peer)],
    [30, soft, 326, shortenName([...(facts.world === null ? [] : [facts.world]), day].join(' · '))],
    ...rows.map((row, index): Line => [34, ink, 388 + index * 44, row]),
    ...numbers.flatMap(([label, value], index): Line[] => [
      [26, soft, 508, label, 96 + index * 350],
      [34, strong, 550, value, 96 + index * 350],
    ]),
  ])
}

export type AccountCard = { identity: PublicIdentity; profile: string; key: string | null; host: string | null }

/** The argument of `parley worlds peers --pin`: the picture carries it as its description. */
const pinLine = ({ identity, key }: AccountCard): string | null => (key === null ? null : `${identity.agentCode}=${key}`)

/** A picture of an account for others to see: its public identity and profile, and the key by which its turns are recognised. */
export function renderAccountCard(account: AccountCard, keyFingerprint: string | null, language: Language): string {
  const { accountCard } = worldOwnerTexts[language]
  const name = formatIdentity(account.identity)
  const rows = account.profile === '' ? [] : wrap(account.profile.replace(/\s+/g, ' '), 3)
  const facts: [label: string, value: string][] = [
    ...(account.host === null ? [] : [[accountCard.host, account.host] as [string, string]]),
    ...(keyFingerprint === null ? [] : [[accountCard.key, keyFingerprint] as [string, string]]),
  ]
  return picture(
    name,
    [
      [30, soft, 128, accountCard.title],
      [60, strong, 214, shortenName(name)],
      ...rows.map((row, index): Line => [34, ink, 284 + index * 46, row]),
      ...facts.flatMap(([label, value], index): Line[] => [
        [26, soft, 508, label, 96 + index * 540],
        [30, strong, 550, shorten(value, shareCardLimits.valueChars), 96 + index * 540],
      ]),
    ],
    pinLine(account),
  )
}

const soft = 'fill="#6b6558"'
const ink = 'fill="#22201b"'
const strong = 'font-weight="600" fill="#22201b"'

/** Size, colour, height and text of one line; its left edge unless it is that of the frame. */
type Line = [size: number, colour: string, y: number, text: string, x?: number]

const picture = (title: string, lines: readonly Line[], description: string | null = null): string =>
  [
    '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630" role="img" aria-labelledby="t"',
    ` font-family="system-ui, 'Noto Sans', 'PingFang SC', 'Noto Sans SC', 'Microsoft YaHei', sans-serif">`,
    `<title id="t">${escapeXml(title)}</title>`,
    ...(description === null ? [] : [`<desc>${escapeXml(description)}</desc>`]),
    '<rect width="1200" height="630" fill="#f7f5f0"/><rect x="40" y="40" width="1120" height="550" rx="28" fill="#ffffff" stroke="#d9d4c7"/>',
    ...lines.map(([size, colour, y, text, x = 96]) => `<text x="${x}" y="${y}" font-size="${size}" ${colour}>${escapeXml(text)}</text>`),
    '</svg>\n',
  ].join('')

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

const shortenName = (text: string): string => shorten(text, shareCardLimits.nameChars)

const shorten = (text: string, most: number): string => {
  const all = Array.from(graphemes.segment(text), ({ segment }) => segment)
  return all.length > most ? `${all.slice(0, most - 1).join('')}…` : text
}

/** Chinese has no spaces to break at. The last row is cut. */
function wrap(text: string, most: number): string[] {
  const { rowChars } = shareCardLimits
  const wide = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60]/.test(text)
  const size = wide ? rowChars : rowChars * 2
  const all = Array.from(graphemes.segment(text), ({ segment }) => segment)
  if (all.length <= size || most === 1) return [shorten(text, size)]
  const space = wide ? -1 : all.slice(0, size + 1).lastIndexOf(' ')
  const at = space > size / 2 ? space : size
  return [all.slice(0, at).join('').trim(), ...wrap(all.slice(at).join('').trim(), most - 1)]
}

/** Characters that XML forbids or that turn the direction of text would break the picture or forge a name. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/gu, '')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
