import type * as en from '../en/notices.ts'

export const notices: typeof en.notices = {
  asks: (agent: string) => `${agent} 向您提问`,
  approval: (agent: string) => `${agent} 需要您审批`,
  limit: (agent: string) => `${agent} 已达到上限`,
  buildAsks: (agent: string) => `${agent} 就一项构建向您提问`,
  buildDone: '您的构建已完成',
  buildFailed: '您的构建失败了',
  hidden: {
    question: '有一个问题等您回答',
    approval: '有一项审批等您处理',
    buildDone: '一项构建已完成',
    buildFailed: '一项构建失败了',
  },
  openApp: '请打开 Parley 查看。',
  open: '打开',
  deny: '拒绝',
  sent: '回答已发送',
  denied: '已拒绝',
  notSent: '回答没有发出。请打开 Parley 作答。',
  test: '通知可用',
  testBody: '有事需要您处理时，Parley 会这样通知您。',
  mail: {
    read: '请在此查看并回答：',
    noReply: '此地址不接收回复。',
    noLink: '请打开 Parley 作答。在 parley.yaml 中设置 server.origins，这里就会有链接。',
  },
}
