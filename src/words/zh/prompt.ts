import type { PromptTexts } from '../../dialogs/rules/prompt/prompt-texts.ts'

const weekdays = '日一二三四五六'

export const prompt: PromptTexts = {
  aPerson: '一个人',
  noAnswer: '(no answer)',

  requestOut: (handle, agent) => `${handle} 已交给 @${agent}，尚无回复；回复将以 <reply> 块送达。`,
  questionOut: (handle) => `${handle} 已向人提出，尚无答案；答案将以 <answer> 块送达。`,
  approvalOut: (handle) => `${handle} 正在等人批准，尚未执行。结果将以 <outcome> 块送达；请勿重复调用。`,
  interrupted: '在得到结果之前已停止，可能已经生效。',
  stopped: (who, hasStarted) => `已被 ${who} 停止${hasStarted ? '，当时正在执行，可能已经生效' : '，尚未执行'}。`,

  delivered: (agent) => `已交付给 @${agent}。`,
  replyBeside: '未交付：本步的其他调用尚未完成。请先看它们的结果，再调用 reply。',
  replyWhileOut: (handles) => `未交付：${handles} 尚无结果。请等待，或改用 partial 或 could_not。`,
  nothingOpen: '没有待回复的请求。请直接用文字告诉对方。',
  replyWithoutText: '未交付：text 必须写出结果本身；对方看不到你的其他消息。',

  tooManyCalls: (most) => `未执行：一步内的调用超过 ${most} 个。如仍需要，请再次调用。`,
  unknownTool: (tool, near, tools) => `没有工具 ${tool}。${near === null ? '' : `是否想用 ${near}？`}现有工具：${tools}。`,
  toolNotThere: (tool) => `${tool} 目前不可用。`,
  unknownTeammate: (agent, team) => `没有队友 @${agent}。现有队友：${team}。`,
  isSelf: (agent) => `你就是 @${agent}。想重新思考，请用 freshBootsReasoning。`,
  isCaller: (agent) => `未发出：你正在处理的请求就来自 @${agent}。提问用 tellaskBack，交付用 reply。`,
  waitsForYou: (agent, session) => `未发出：@${agent}（${session}）已经在等你。`,
  askedTogether: (handle) => `已并入 ${handle} 一起提问，答案也在那里。`,
  shown: '已显示。有人点按按钮时，你会收到一条消息。',
  questionWithdrawn: (handle) => `${handle} 已撤回。`,
  questionAnswered: (handle) => `${handle} 已有答案，见对应的 <answer>。`,
  noSuchQuestion: (given, open) => `没有待回答的问题 ${given}。待回答：${open}。`,
  reminderKept: (number, count) => `已保存为提醒项 ${number}（共 ${count} 项）。`,
  reminderChanged: (number) => `提醒项 ${number} 已更新。`,
  reminderDeleted: (left) => `已删除，还剩 ${left} 项。`,
  sameReminder: (number) => `未保存：与提醒项 ${number} 相同。`,
  tooManyReminders: (most) => `未保存：提醒项已达 ${most} 项上限，请更新或删除一项。`,
  cleared: '新一程开始。',
  clearedTooEarly: '未清空：这一程刚刚开始。请先处理请求。',
  clearedBesideQuestion: '未清空：你刚向人提了问题。请等得到答案后再清空。',
  none: '无',
  saidNothing: (agent) => `@${agent} 未能完成：它什么都没有说。无法重试。`,

  yourRequestWas: '你的请求是：',
  deliverWithReply: '用 reply 交付。如缺少信息，先用 tellaskBack 询问。',
  reasonAlone: '请只根据上文推理。首行写【FBR-直接回复】或【FBR-仅推理】。列出缺少的信息。',
  noOutput: '(no output)',
  waitsForReply: (handle, agent, session, passed, about) =>
    `- ${handle} 已交给 @${agent}${session === null ? '' : `（${session}）`}，${passed}：${about}`,
  waitsForAnswer: (handle, passed, about) => `- ${handle} 已向人提出，${passed}：${about}`,
  waitsForApproval: (handle, tool, passed, about) => `- ${handle} ${tool}，等待批准，${passed}：${about}`,

  declined: (who, reason) => `${who} 婉拒回答${reason === null ? '' : `：${reason}`}。`,
  withdrawn: '问题在回答前已撤回；这不代表否定。',
  expired: '问题已过期，无人回答；这不代表否定。',

  notes: {
    time: (now, passed) => `现在是 ${now}；距你的上一步已过 ${passed}。`,
    stopped: (who) => `${who} 在此让你停下。`,
    continued: (who, passed) => `${passed} 后，${who} 让你继续。`,
    askBack: (handle) => `请用 reply 回答 ${handle}。`,
    replyNudge: (handle) => `${handle} 尚未交付。如已有结果，请调用 reply 并写入完整结果；否则请继续。`,
    caution: (used, window) => `上下文已用 ${used} / ${window} 个词元。请更新提醒项，再调用 clear_mind。`,
    critical: (steps) => `上下文即将用尽。再过 ${steps} 步将自动开始新一程。`,
    budget: (percent) => `这项工作的预算已用 ${percent}%。`,
    diligence: '你停下了。如目标已达成，或正在等待他人，请用一行说明；否则请继续。',
    joined: (agent, about) => `@${agent} 已加入${about === '' ? '' : `：${about}`}。`,
    left: (agent) => `@${agent} 已离开。`,
    toolGone: (tool) => `${tool} 已不可用。`,
    newCourse: (course, isFull) =>
      `第 ${course} 程${isFull ? '：上下文已满' : ''}。此前的消息已看不到。请根据以上内容和提醒项继续。不要重复发起 <waiting> 中的事项。`,
    compacted: '较早的工具输出已截短；可用 recall_output 读取原文。',
  },

  day: (time, weekday) => `${time}，星期${weekdays[weekday] ?? ''}`,
  units: { minutes: (count) => `${count} 分钟`, hours: (count) => `${count} 小时`, days: (count) => `${count} 天` },
}
