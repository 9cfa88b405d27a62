import type { AgentTexts } from '../../agents/agent-texts.ts'
import { type Language, languages } from '../../shapes/language.ts'

/** Names of languages inside a sentence; others are named as their own speakers do. */
const names: Partial<Record<Language, string>> = { en: '英文', zh: '中文' }

export const agents: AgentTexts = {
  prompt: {
    teammates: '你的队友：',
    calls:
      '向队友诉请：用 tellask（以名称保留的支线对话）或 tellaskSessionless（一次性）。对方看不到本对话，请把所需内容写全。所有回复到齐之前你会休息。一次诉请只有一次回复；需要更多请再次诉请。',
    dropped: '本对话最早的部分已不再显示。如有需要，请直接说明并询问。',
    reminders: '你的提醒项。清空思维后仍然保留；请用 add_reminder、update_reminder、delete_reminder 按编号保持简短、准确。',
    language: (own) => (own ? `[请用${names[own] ?? languages[own].name}回答。]` : '[请使用最新消息的语言回答；若无法判断，请用中文。]'),
    noTools: '此处没有任何工具，也不能呼叫他人。请只根据给出的文字思考，并用文字回答。',
  },
  memories: { team: '团队记忆', own: '你的记忆', leftOut: (count) => `还有 ${count} 条记忆因篇幅所限未显示。请删除或精简。` },
  taskdoc: {
    title: '任务文档',
    bearInMind: '牢记',
    moreSections: '其他章节（用 recall_taskdoc 读取）',
    cut: (bytes) => `[任务文档超过 100 KB，此处省略了 ${bytes} 字节。请精简各章节。]`,
  },
  outputLimit: '[模型在此停止：已达到输出上限。]',
  noSandbox: '未执行：沙箱不可用，需由人安装。',
  blockedHosts: (hosts) => `[已拦截的主机：${hosts.join('、')}。请在 hosts 中写明需要访问的主机。]`,
}
