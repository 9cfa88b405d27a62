import type { PageFindWords } from '../en/page-find.ts'

/** 页面上的搜索和链接。 */
export const pageFind: PageFindWords = {
  messages: '消息',
  kinds: { message: '', question: '问题', answer: '回答', request: '请求', title: '标题' },
  more: '更多结果',
  searching: '正在搜索…',
  failed: '搜索失败。修改一个词即可重试。',
  found: (count) => `${count} 条结果`,
  indexing: (percent) => `较早的消息仍在建立索引：已完成 ${percent}%。`,
  notHere: '在这里没有找到这条消息。它可能在很久以前，或者不对您开放。',
  noCourse: (course) => `这个对话没有第 ${course} 程。`,
  question: '一个问题',
  answered: (who, when) => `${who} 已回答（${when}）。`,
  declined: (who, when) => `${who} 已婉拒（${when}）。`,
  cancelled: (when) => `问题已撤回（${when}）。`,
  expired: (when) => `问题已过期，没有人回答（${when}）。`,
  nobodyWaits: '已经没有人在等待回答。',
  openChat: '在对话中打开此问题',
  notForYou: '这个问题不是给您的',
  notForYouNext: '它是给别人的，或者已不存在。给您的问题在收件箱中。',
  toInbox: '打开收件箱',
  unreachable: '无法加载这个问题',
  unreachableNext: '无法连接服务器。连接恢复后请重试。',
  tryAgain: '重试',
}
