import type { Language } from './events.ts'

/** Results an agent reads instead of the output of its call. The strings are exact: models are tested against them. */

/** For a call that would start or address another dialog while the work is stopped. */
export const workStopped = (language: Language, who: string): string =>
  language === 'zh' ? `未执行：${who} 已停止所有工作。` : `Not run: all work was stopped by ${who}.`

/** For a call that had no result yet when its turn was stopped. */
export function callStopped(language: Language, who: string, hasStarted: boolean): string {
  if (language === 'zh') return `已被 ${who} 停止${hasStarted ? '，当时正在执行，可能已经生效' : '，尚未执行'}。`
  return `Stopped by ${who}${hasStarted ? ' while running; it may have taken effect' : ' before it ran'}.`
}

export const tooDeep = (language: Language, depth: number): string =>
  language === 'zh'
    ? `未发出：请求已嵌套 ${depth} 层。请自行完成，或交付已有结果。`
    : `Not asked: requests are already ${depth} levels deep. Do it yourself or reply with what you have.`

export const tooManySides = (language: Language, count: number): string =>
  language === 'zh'
    ? `未发出：这项工作已有 ${count} 个支线对话。请用已有结果收尾，或向人询问。`
    : `Not asked: this work already has ${count} side dialogs. Finish with what you have, or ask a person.`

/** Results of the gate and of approvals. */
export const approvalTexts = {
  denied: (language: Language, who: string, note: string | undefined): string =>
    language === 'zh'
      ? `${who} 拒绝了这次调用${note ? `：${note}` : ''}。调用未执行。请勿换个办法达到同样的效果。`
      : `${who} denied this call${note ? `: ${note}` : ''}. It has not run. Do not seek the same effect another way.`,
  deniedByRule: (language: Language, because: string): string =>
    language === 'zh' ? `此处不允许：${because}。调用未执行。` : `Not allowed here: ${because}. It has not run.`,
  isProtected: (language: Language, path: string): string => (language === 'zh' ? `${path} 受保护。` : `${path} is protected.`),
  tooManyApprovals: (language: Language, count: number): string =>
    language === 'zh' ? `未提交审批：已有 ${count} 项在等待。` : `Not asked: ${count} approvals already wait.`,
  tooLarge: (language: Language, chars: number): string =>
    language === 'zh'
      ? `未提交审批：共 ${chars} 个字符，无法由人审阅。请拆成更小的调用。`
      : `Not asked: ${chars} characters are more than a person can review. Make smaller calls.`,
  badArguments: (language: Language, fault: string): string =>
    language === 'zh' ? `参数有误：${fault}。` : `The arguments do not fit: ${fault}.`,
  withdrawn: (language: Language): string =>
    language === 'zh' ? '问题在回答前已撤回；这不代表否定。' : 'Withdrawn before an answer; this is not a no.',
} as const
