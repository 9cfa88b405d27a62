import type { Language } from '../../dialog/events.ts'

const names = { en: { en: 'English', zh: 'Chinese' }, zh: { en: '英文', zh: '中文' } } as const

type PromptWords = {
  teammates: string
  calls: string
  dropped: string
  reminders: string
  /** `own` is the member's set language; without it, the human's counts. */
  language(own: Language | undefined): string
  noTools: string
}

/** What the runtime says to a model, in the language of the dialog. */
export const promptWords: Record<Language, PromptWords> = {
  en: {
    teammates: 'Your teammates:',
    calls:
      'To ask a teammate, call tellask (a side dialog that is kept under a name) or tellaskSessionless (once). It knows nothing of this dialog, so say all it needs. You rest until every reply has come. One request gets one reply; for more, ask again.',
    dropped: 'The oldest part of this dialog is no longer shown to you. If you need something from it, say so and ask.',
    reminders:
      'Your reminders. They stay when your mind is cleared; keep them short and true with add_reminder, update_reminder and delete_reminder, by number.',
    language: (own) =>
      own ? `[Answer in ${names.en[own]}.]` : '[Answer in the language of the latest message; if it has none, in English.]',
    noTools: 'There are no tools here, and nobody can be called. Think from the text you are given, and answer in words.',
  },
  zh: {
    teammates: '你的队友：',
    calls:
      '向队友诉请：用 tellask（以名称保留的支线对话）或 tellaskSessionless（一次性）。对方看不到本对话，请把所需内容写全。所有回复到齐之前你会休息。一次诉请只有一次回复；需要更多请再次诉请。',
    dropped: '本对话最早的部分已不再显示。如有需要，请直接说明并询问。',
    reminders: '你的提醒项。清空思维后仍然保留；请用 add_reminder、update_reminder、delete_reminder 按编号保持简短、准确。',
    language: (own) => (own ? `[请用${names.zh[own]}回答。]` : '[请使用最新消息的语言回答；若无法判断，请用中文。]'),
    noTools: '此处没有任何工具，也不能呼叫他人。请只根据给出的文字思考，并用文字回答。',
  },
}
