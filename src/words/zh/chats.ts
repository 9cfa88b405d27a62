import type { ChatApprovalWords } from '../../chats/announce/approval-words.ts'
import { approvalFacts } from './approval-facts.ts'
import type * as en from '../en/chats.ts'

export const messaging: typeof en.messaging = {
  notAnAnswer: (expected) => `无法将这条消息识别为回答。${expected}`,
  alreadyBy: (name: string) => `${name} 已经回答过了。`,
  already: '这个问题已经有人回答了。',
  theOwner: '所有者',
  branchTitle: (title: string) => `${title}（分支）`,
  requestToWrite: (name: string, channel: string) => `${name} 想通过 ${channel} 给您的代理发消息。`,
  code: (code: string) => `配对码是 ${code}。只有对方说出相同的配对码时，才能接受。`,
  accept: '接受',
  decline: '婉拒',
  wasAccepted: (by: string) => `✓ ${by} 已接受。`,
  wasDeclined: (by: string) => `${by} 已婉拒。`,
  maybeLost: (start, isPart) =>
    isPart
      ? `我有一条消息的一部分可能没有送达，其余部分已经发送：“${start}”。如果有缺失，请再问我一次。`
      : `我有一条消息可能没有送达：“${start}”。如果您没有看到，请再问我一次。`,
  couldNot: (why: string) => `${why} 请再发一条消息，我会重试。`,
  sideCouldNot: (agent: string, why: string) => `${agent} 未能完成请求。${why}`,
  retry: '重试',
  giveUp: '放弃',
  failureOver: '此事已处理，无需再操作。',
  test: 'Parley 已连接。您可以在这里发消息。',
}

export const chatQuestions: typeof en.chatQuestions = {
  reply: '请回复这条消息来作答。',
  done: (count) => `完成（${count}）`,
  replyMany: '请回复这条消息，每个编号一行，例如“1：…”。',
  hint: (text) => text,
  labelled: (label: string, text: string) => `${label}：${text}`,
  asks: (agent: string, title: string) => `${agent} 提问 · ${title}`,
  asksHere: (agent: string) => `${agent} 提问`,
  isFor: (names: string) => `请 ${names} 回答`,
  isForAll: '这里的任何人都可以回答。',
  answered: (by: string) => `${by} 的回答：`,
  declined: (by: string) => `${by} 婉拒回答。`,
  cancelled: () => '已撤回：不再需要回答。',
  expired: () => '问题已过期。',
}

export const inbound: typeof en.inbound = {
  pairing: (code: string) => `您好！我还不认识您。请把这个配对码告诉此账号的管理者：${code}。一小时内有效。`,
  accepted: () => '请求已通过，正在回复您的消息。',
  got: (label: string) => `✓ ${label}`,
  forged: () => '这个按钮不是我发出的。没有任何更改。',
  stale: () => '这个按钮已经过期，请直接发送消息。',
  used: (name: string) => (name === '' ? '这些按钮已经用过了。' : `这些按钮已被 ${name} 使用。`),
  foreign: () => '这些按钮是给其他人的。没有任何更改。',
}

export const chatApprovals: ChatApprovalWords = {
  ...approvalFacts,
  eachBelow: '请在下方逐项决定。',
  back: '返回',
  open: '打开',
  editOnPage: '在页面上修改',
  inDialog: (title) => `来自对话“${title}”`,
  part: (number, total, isSameLine) => `第 ${number}/${total} 部分${isSameLine ? '（接上一行）' : ''}：`,
  tooLong: '内容过长，无法在这里完整显示。请打开页面查看并决定，或直接拒绝。',
  chooseScope: (agent, date) => `请选择始终允许 ${agent} 做什么。授权有效期至 ${date}。`,
  anyContent: '无论它运行的文件内容如何',
  whileUnchanged: (file) => `仅限 ${file} 未变更时`,
  writeNote: '请回复这条消息写下说明，代理会看到。',
  note: (text) => `说明：${text}`,
  decided: (name, decision) => `${name} 的决定：${decision}。`,
  withdrawn: '无需再决定。',
  lowestRole: (role) => `此对话中发言者的最低角色：${role}。`,
  offersWorkspace: '此类调用经常获批。在 parley.yaml 中设置“policy.preset: workspace”后将不再询问。',
  list: { separator: '、', colon: '：' },
  gap: '',
  aside: (facts) => `（${facts.join('，')}）`,
  // Chinese text keeps a space beside names in Latin letters, which the list format of the platform does not.
  names: (names, keys) =>
    names.length < 2 ? (names.at(-1) ?? '') : `${names.slice(0, -1).join('、')} ${keys > 1 ? '和' : '或'} ${names.at(-1)}`,
}
