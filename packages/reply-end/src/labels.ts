/** Labels, fixed to the letter; the comma in the Chinese one is ASCII. */

export type EndChoice = 'continue' | 'stop'
export type Locale = 'zh-Hant' | 'en'
export type ToastKind = EndChoice | 'repeat' | 'stale' | 'foreign'

export const endLabels: Record<Locale, Record<EndChoice, string>> = {
  'zh-Hant': { continue: 'A. 繼續', stop: 'B. 就這樣吧,不需要額外處理' },
  en: { continue: 'A. Continue', stop: 'B. Stop here, no further action needed' },
}

export const shortEndLabels: Record<Locale, Record<EndChoice, string>> = {
  'zh-Hant': { continue: '繼續', stop: '就這樣吧' },
  en: { continue: 'Continue', stop: 'Stop here' },
}

export const endToasts: Record<Locale, Record<ToastKind, string>> = {
  'zh-Hant': {
    continue: '已記錄:繼續',
    stop: '已收尾,不再延伸',
    repeat: '已經記錄過了',
    stale: '這則回覆的選項已失效',
    foreign: '這組按鈕不是給你的',
  },
  en: {
    continue: 'Noted: continue',
    stop: 'Closed, no follow-up',
    repeat: 'Already recorded',
    stale: 'These options are no longer active',
    foreign: 'These buttons are not for you',
  },
}

export type LabelSize = 'full' | 'short'

/** Full labels stand one under the other; short ones fit side by side. */
export function choiceRows(locale: Locale, size: LabelSize): { label: string; choice: EndChoice }[][] {
  const labels = (size === 'short' ? shortEndLabels : endLabels)[locale]
  const [first, second] = (['continue', 'stop'] as const).map((choice) => ({ label: labels[choice], choice }))
  if (!first || !second) return []
  return size === 'short' ? [[first, second]] : [[first], [second]]
}

/** Mark on the message when the host keeps the choice visible. */
export const markerLabel = (locale: Locale, choice: EndChoice): string => `✓ ${shortEndLabels[locale][choice]}`

/** The language a text is written in, as far as its script tells; null when it tells nothing. */
export function localeOfText(text: string): Locale | null {
  // Kana and Hangul stand beside Han characters that are not Chinese.
  if (/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text)) return null
  if (/\p{Script=Han}/u.test(text)) return 'zh-Hant'
  return /\p{Script=Latin}/u.test(text) ? 'en' : null
}

/** A setting of the conversation, else the script of what was last written there, else the host's default. */
export const chooseLocale = (given: { localeSetting: Locale | null; lastScript: Locale | null }, fallback: Locale): Locale =>
  given.localeSetting ?? given.lastScript ?? fallback
