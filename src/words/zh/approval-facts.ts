import type { ApprovalFactWords } from '../en/approval-facts.ts'
export const approvalFacts: ApprovalFactWords = {
  facts: '发起人：{people}。原因：{why}。',
  person: (name, ...facts) => (facts.length === 0 ? name : `${name}（${facts.join('，')}）`),
  roles: { owner: '所有者', operator: '管理员', member: '成员', guest: '访客', group: '群成员', peer: '外部代理' },
  theOwner: '所有者',
  irreversible: '此操作无法撤销。',
  interrupted: '服务器停止时，这次调用正在执行，可能已经生效。允许后会再执行一次。',
  tooLarge: '内容过长，无法完整显示，只能拒绝。',
  covered: '已有规则或授权允许，无需再决定。',
  chatCovers: (scopes) => `“在此对话中允许”在本对话内涵盖 ${scopes}，最长 30 天。`,
  allOnce: (count) => (count === 2 ? '两项都允许一次' : `全部 ${count} 项允许一次`),
  denyAll: '全部拒绝',
  decideEach: '逐项决定',
}
