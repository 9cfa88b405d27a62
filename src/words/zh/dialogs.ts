import type { BudgetFacts } from '../../dialogs/rules/budget-scopes.ts'
import type { DialogTexts } from '../../dialogs/rules/dialog-texts.ts'

export const dialogs: DialogTexts = {
  workStopped: (who) => `未执行：${who} 已停止所有工作。`,
  callStopped: (who, hasStarted) => `已被 ${who} 停止${hasStarted ? '，当时正在执行，可能已经生效' : '，尚未执行'}。`,
  tooDeep: (depth) => `未发出：请求已嵌套 ${depth} 层。请自行完成，或交付已有结果。`,
  tooManySides: (count) => `未发出：这项工作已有 ${count} 个支线对话。请用已有结果收尾，或向人询问。`,
  requestsPaused: (limit) => `已暂停：已连续发出 ${limit} 次请求，其间无人发言。已请人决定是否继续。`,
  denied: (who, note) => `${who} 拒绝了这次调用${note ? `：${note}` : ''}。调用未执行。请勿换个办法达到同样的效果。`,
  deniedByRule: (because) => `此处不允许：${because}。调用未执行。`,
  isProtected: (path) => `${path} 受保护。`,
  tooManyApprovals: (count) => `未提交审批：已有 ${count} 项在等待。`,
  tooLarge: (chars) => `未提交审批：共 ${chars} 个字符，无法由人审阅。请拆成更小的调用。`,
  badArguments: (fault) => `参数有误：${fault}。`,
  withdrawn: '问题在回答前已撤回；这不代表否定。',
  timedOut: (minutes) => `运行 ${minutes} 分钟 后超时停止，可能已经生效。`,

  header: (tellasker) => `你是当前被诉请者对话(tellaskee dialog)的主理人;诉请者对话(tellasker dialog)为 @${tellasker}(当前发起本次诉请)。`,
  reasoningHeader: (tellasker) => `这是一次 FBR 支线对话;诉请者对话为 @${tellasker}(可能与当前对话同一 agent)。`,
  now: (session) => (session === null ? '现在：' : `现在（${session}）：`),
  originalRequest: '你原来的诉请：',
  backPrompt: (by, about, question) =>
    `@${by} 在继续之前向你回问。\n\n${about}回问：\n${question}\n\n你接下来的回复会作为答复交给 @${by}。`,
  carriedOver: (address, request, reply) =>
    `对你先前一次诉请的回复（当时的上下文已清空）。\n诉请 ${address}：\n${request}\n\n回复：\n${reply}`,
  silentReply: '（没有说话）',
  requestFailed(agent, reason, because) {
    const end = { 'given-up': '有人决定放弃。', final: '无法重试。' }
    return `【失败】@${agent} 未能完成：${reason}。${because.why === 'timeout' ? `${because.minutes} 分钟 内未能成功。` : end[because.why]}`
  },
  declaredDead(agent, session, note) {
    const again = session === null ? '' : `名称“${session}”可以再次使用，但其上下文已不存在。`
    return `@${agent} 的支线对话已被宣告终止，不可恢复。${again}${note ? `\n备注：${note}` : ''}`
  },

  course: (course) => `这是第 ${course} 程对话。此前的消息已不在视野内；请根据提醒项继续。`,

  choose: '选择',
  repeatCall: {
    text: (tool) => `服务器在执行“${tool}”时停止，无法确定这次调用是否已经生效。接下来怎么办？`,
    again: '再执行一次',
    done: '已经生效，继续',
    skip: '不要执行',
  },
  limits: {
    budgetSpent: (budget) => `${budgetName(budget)}不够进行下一步：已用 ${amounts(budget)}。工作正在等待您的决定。要提高预算吗？`,
    budgetNotice: (budget, percent) => `${budgetName(budget)}已用 ${percent}%：${amounts(budget)}。工作继续进行。要提高预算吗？`,
    generations: (agent, limit) => `@${agent} 在一轮中已进行 ${limit} 步，尚未完成。要继续吗？`,
    requests: (agent, limit) => `@${agent} 已连续向其他代理发出 ${limit} 次请求，其间无人发言。要继续吗？`,
    raiseByHalf: '提高一半',
    double: '加倍',
    goOn: '继续',
    stopHere: '到此为止',
    leave: '保持不变',
  },
}

function budgetName({ scope, key }: BudgetFacts): string {
  const name = key.slice(scope.length + 1)
  switch (scope) {
    case 'dialog':
      return '这个对话的预算'
    case 'agent':
      return `@${name} 的预算`
    case 'day':
      return `${name} 当天的预算`
    case 'owner':
      return '全部工作的预算'
  }
}

const amounts = ({ spent, limit, unit }: BudgetFacts): string =>
  unit === 'tokens'
    ? `${Math.round(spent).toLocaleString('en')} / ${Math.round(limit).toLocaleString('en')} 个词元`
    : `${spent.toFixed(2)} / ${limit.toFixed(2)}`
