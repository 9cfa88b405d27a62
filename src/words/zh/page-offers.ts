import type { PageOfferWords } from '../en/page-offers.ts'

export const pageOffers: PageOfferWords = {
  retry: '重试',
  retried: '正在重试',
  giveUp: '放弃',
  gaveUp: '已放弃',
  open: '打开',
  isTold: '已告知提出请求的代理。',
  isDue: (time: string) => `将于 ${time} 告知提出请求的代理。`,
  asAnswer: (question: string) => `作为“${question.slice(0, 60)}”的回答发送`,
  asAnswered: '已回答',
}
