import type { ReplyPayload } from '../../src/chats/message/reply-payload.ts'

/** Other scripts, other directions, characters made of several. */
export const scripts: Record<string, ReplyPayload> = {
  'script-hebrew': {
    text: 'שלום **עולם**, מה שלומך?',
    presentation: {
      tone: 'info',
      title: 'כותרת',
      blocks: [
        {
          type: 'buttons',
          buttons: [
            { label: 'כן', value: 'yes' },
            { label: 'לא', value: 'no' },
          ],
        },
      ],
    },
  },
  'script-arabic-long': { text: 'هذه جملة طويلة جدا. '.repeat(250) },
  'script-chinese': {
    text: '今天的報告已經完成。',
    presentation: {
      tone: 'success',
      title: '報告',
      blocks: [
        {
          type: 'select',
          placeholder: '選擇',
          options: [
            { label: '繼續', value: 'c' },
            { label: '停止', value: 's' },
          ],
        },
      ],
    },
  },
  'script-chinese-long': { text: '這是一個很長的句子，需要分成幾則訊息。'.repeat(230) },
  'script-emoji-joiners': {
    text: '👨‍👩‍👧‍👦 🏳️‍🌈 👩🏽‍🚀 1️⃣ 🇩🇪',
    presentation: { title: '👩‍❤️‍💋‍👨', blocks: [{ type: 'buttons', buttons: [{ label: '👍🏿 ok', value: '👍🏿' }] }] },
  },
  'script-combining': {
    text: 'e\u0301 a\u0308 क्षि 각 กำ',
    presentation: { blocks: [{ type: 'context', text: 'Z\u0351\u036b\u0343a\u0328l\u034fgo' }] },
  },
  'script-mixed-direction': {
    text: 'Order 42 (שולם) costs 3 ₪.',
    presentation: { blocks: [{ type: 'table', headers: ['שם', 'Preis'], rows: [['תה', 4]] }] },
  },
  'script-invisible': { text: 'zero\u200bwidth, soft\u00adhyphen, no\u00a0break', presentation: { blocks: [] } },
}
