import type { AuthorityWords } from '../../authority/authority-words.ts'
import { approvalFacts } from './approval-facts.ts'
import { shown } from './page-shown.ts'

export const authority: AuthorityWords = {
  title: {
    run: '允许 {agent} 运行这条命令吗？',
    write: '允许 {agent} 修改 {path} 吗？',
    message: '允许 {agent} 向 {target} 发送这条消息吗？',
    tool: '允许 {agent} 使用 {tool}（{server}）吗？',
    batch: '{agent} 有 {n} 项操作需要批准',
  },
  roles: approvalFacts.roles,
  actions: { once: '允许一次', chat: '在此对话中允许', always: '始终允许…', deny: '拒绝', denyWithNote: '拒绝并说明' },
  status: {
    requester: '正在等待 {name} 批准。',
    refused: '此事只能由 {name} 决定。',
    late: '{name} 已作出决定：{decision}。',
    stopped: '本轮已停止，无需再决定。',
    changed: '{tool} 已变更，请重新决定。',
    keys: '已有 {k}/{n} 人批准：{names}',
  },
  shown,
  explain: {
    subjects: '对象',
    rules: '规则与授权',
    decision: '决定',
    none: '无',
    line: '第 {line} 行',
    allow: '允许',
    ask: '询问',
    deny: '拒绝',
    once: '只能允许一次或拒绝',
  },
}
