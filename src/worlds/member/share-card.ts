import { worldOwnerTexts } from '../../words/index.ts'
import type { Language } from '../../shapes/language.ts'
import type { ReportView } from '../../shapes/worlds.ts'

export const shareCardLimits = { lineChars: 140, nameChars: 46, rowChars: 28 } as const

type Card = { you: string; facts: NonNullable<ReportView['facts']>; at: number; line: string | null; language: Language; timeZone: string }

/**
 * A picture of a conversation for others to see: public identities and what the runtime counted. Neither words of the peer nor
 * the report, which may quote them, are in it; `line` is the owner's own.
 */
export function renderShareCard({ you, facts, at, line, language, timeZone }: Card): string {
  const { card, endedBy, votes } = worldOwnerTexts[language]
  const name = (text: string): string => escapeXml(shorten(text, shareCardLimits.nameChars))
  const day = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'zh-CN', { dateStyle: 'long', timeZone }).format(at)
  const likes = facts.likes
  const numbers: [label: string, value: string][] = [
    [card.turns, String(facts.turns)],
    [card.ended, endedBy[facts.endedBy]],
    [card.feedback, `${votes[likes.given ?? 'none']} / ${votes[likes.received ?? 'none']}`],
  ]
  const rows = line === null || line.trim() === '' ? [] : wrap(line.trim().slice(0, shareCardLimits.lineChars).toWellFormed())
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630" role="img" aria-labelledby="t"',
    ` font-family="system-ui, 'Noto Sans', 'PingFang SC', 'Noto Sans SC', 'Microsoft YaHei', sans-serif">`,
    `<title id="t">${escapeXml(`${you} · ${facts.peer}`)}</title>`,
    '<rect width="1200" height="630" fill="#f7f5f0"/><rect x="40" y="40" width="1120" height="550" rx="28" fill="#ffffff" stroke="#d9d4c7"/>',
    `<text x="96" y="128" font-size="30" fill="#6b6558">${escapeXml(card.title)}</text>`,
    `<text x="96" y="204" font-size="52" font-weight="600" fill="#22201b">${name(you)}</text>`,
    `<text x="96" y="272" font-size="52" font-weight="600" fill="#22201b">${name(facts.peer)}</text>`,
    `<text x="96" y="326" font-size="30" fill="#6b6558">${name([...(facts.world === null ? [] : [facts.world]), day].join(' · '))}</text>`,
    ...rows.map((row, index) => `<text x="96" y="${388 + index * 44}" font-size="34" fill="#22201b">${escapeXml(row)}</text>`),
    ...numbers.flatMap(([label, value], index) => [
      `<text x="${96 + index * 350}" y="508" font-size="26" fill="#6b6558">${escapeXml(label)}</text>`,
      `<text x="${96 + index * 350}" y="550" font-size="34" font-weight="600" fill="#22201b">${escapeXml(value)}</text>`,
    ]),
    '</svg>\n',
  ].join('')
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

const shorten = (text: string, most: number): string => {
  const all = Array.from(graphemes.segment(text), ({ segment }) => segment)
  return all.length > most ? `${all.slice(0, most - 1).join('')}…` : text
}

/** At most two rows. Chinese has no spaces to break at. */
function wrap(text: string): string[] {
  const { rowChars } = shareCardLimits
  const wide = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60]/.test(text)
  const most = wide ? rowChars : rowChars * 2
  const all = Array.from(graphemes.segment(text), ({ segment }) => segment)
  if (all.length <= most) return [text]
  const space = wide ? -1 : all.slice(0, most + 1).lastIndexOf(' ')
  const at = space > most / 2 ? space : most
  return [all.slice(0, at).join('').trim(), shorten(all.slice(at).join('').trim(), most)]
}

/** Characters that XML forbids or that turn the direction of text would break the picture or forge a name. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/gu, '')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
