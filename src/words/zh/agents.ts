import type { AgentTexts } from '../../agents/agent-texts.ts'

export const agents: AgentTexts = {
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
