import type { Locale } from '../steps.ts'

const sentences: Record<Locale, readonly [string, ...string[]]> = {
  en: [
    'Still working on this. Thanks for your patience.',
    'This part takes a little longer. I’m still on it.',
    'This one needs some more time. You’ll hear from me as soon as there is news.',
    'Still here, and still on it.',
  ],
  zh: [
    '仍在进行中，感谢您的耐心等待。',
    '这部分需要多一点时间，我还在继续。',
    '还需要一些时间，一有消息我就告诉您。',
    '我还在这里，正在继续。',
  ],
}

/** One short sentence for a long silence; each later silence of a build gets the next one. */
export const reassurance = (locale: Locale, earlier: number): string =>
  sentences[locale][earlier % sentences[locale].length] ?? sentences[locale][0]

export const isReassurance = (text: string): boolean => Object.values(sentences).some((list) => list.includes(text))
