import type { PageOfferWords } from '../en/page-offers.ts'

export const pageOffers: PageOfferWords = {
  retry: '重试',
  retried: '正在重试',
  giveUp: '放弃',
  gaveUp: '已放弃',
  open: '打开',
  isTold: '已通知提出请求的代理。',
  isDue: (time: string) => `将于 ${time} 通知提出请求的代理。`,
  asAnswer: (question: string) => `作为“${question.slice(0, 60)}”的回答发送`,
  asAnswered: '已回答',
  menu: '对话菜单',
  freshStart: '重新开始',
  freshTitle: '重新开始？',
  freshNext:
    '下一步之前，代理会从上下文中移除较早的消息。它的任务、您的第一条和最后几条消息、它的笔记和未答的问题都会保留。日志中仍有全部内容。',
  freshDone: '代理将重新开始',
  pushes: (left: number) => `催促：剩余 ${left} 次`,
  refill: '补满',
  pushSwitch: '代理停下时催促它',
  pushAbout: '代理停下时，Parley 会请它检查目标是否达成。您发送消息后，次数会自动补满。',
}
