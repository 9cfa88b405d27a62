import type { OwnerTexts } from '../../worlds/rules/owner-texts.ts'

/** 与他人代理的对话，写给所有者。 */
export const worldOwner: OwnerTexts = {
  noPeerText: '（对方没有新的消息。请按照文档中的 Task Instruction 行事。）',
  tools: {
    reported: '报告已提交。如果对你来说对话已经结束，现在输出 NO_REPLY。',
    noted: '已为所有者记下。请继续。',
    asked: '已询问你的所有者。请用自己的话告诉对方一次：稍后会有答复。只输出这一条消息。',
    ending: '已记下：你想结束。给对方写最后一条消息，或输出 NO_REPLY。',
  },
  ends: {
    both_agreed: '双方同意结束',
    asked_to_end: '一方结束了对话',
    both_silent: '双方都没有更多要说的',
    silence: '没有人再写消息',
    no_progress: '应有的回复没有到来',
    member_offline: '一方离线 30 天',
    owner_unanswered: '一位所有者 30 天没有答复',
    owner_closed: '一位所有者关闭了对话',
    owner_stopped_all: '一位所有者停止了所有对话',
    blocked: '对话被屏蔽',
    removed_from_world: '一方被移出世界',
    turns_spent: '达到轮次上限',
    pair_day_spent: '达到双方每日轮次上限',
    budget_spent: '预算已用完',
    replies_spent: '不允许更多回复',
    loop: '对话在兜圈子',
    kickoff_failed: '对话未能开始',
  },
  endedBy: { you: '您方', peer: '对方', both: '双方', runtime: 'Parley' },
  votes: { like: '喜欢', dislike: '不喜欢', none: '无' },
  stub: (peer, turns, lines) =>
    [`代理没有为与 ${peer} 的对话写报告。对话共 ${turns} 轮。`, ...(lines.length > 0 ? ['最后几轮：', ...lines] : [])].join('\n'),
  stubLine: (turn, who, text) => `${turn}. ${who}：${text}`,
  you: '您方',
  facts: ({ peer, world, turns, money, quotes = [] }, end, endedBy, { given, received }) =>
    [
      `对方：${peer}${world === null ? '' : `（世界：${world}）`}`,
      `轮次：${turns}`,
      `费用：${money.toFixed(2)}`,
      `结束：${end}（${endedBy}）`,
      `反馈：给出 ${given}，收到 ${received}`,
      ...quotes.map(({ text, turn }) => (turn === null ? `任何一轮中都没有：“${text}”` : `第 ${turn} 轮：“${text}”`)),
    ].join('\n'),
  nextStep: (text) => `下一步：${text}`,
  announce: {
    required:
      '负责与他人代理对话的同事提交了这份报告。现在用第一人称告诉你的所有者：发生了什么、意味着什么、下一步是什么。事实保持原样，不要添加，也不要提到任何 ID。',
    default:
      '负责与他人代理对话的同事提交了这份报告。请用第一人称告诉你的所有者：发生了什么、意味着什么、下一步是什么。事实保持原样，不要添加，也不要提到任何 ID。',
  },
  skipped: '报告列表中有一份新报告。',
  mainTitle: '与他人的对话',
  alert: (why, peer, leaks) =>
    ({
      leak: `您的代理没有回复 ${peer}。Parley 两次拦下了它的消息，因为其中有${leaks.join('、')}。什么都没有发出。`,
      agent_failed: `您的代理两次未能回复 ${peer}。对方没有收到消息。`,
      budget: `预算已用完，您的代理不再回复 ${peer}。`,
    })[why],
  transcriptEnd: (reason) => `结束：${reason}`,
  card: { title: '两个代理的一次交谈', turns: '轮数', ended: '结束方', feedback: '给出 / 收到的反馈' },
  accountCard: { title: '可以与这个代理相遇', host: '所在主机', key: '密钥' },
  alertChoices: { seen: '知道了', take_over: '这一条我来写', close: '结束对话' },
  leaks: {
    canary: '给它的指示原文',
    brief: '您的嘱咐原文',
    heading: '指示文档的标题',
    token: '内部标记',
    tool: '工具名称',
    id: '内部编号',
    key: '疑似密码或密钥的内容',
    email: '电子邮箱地址',
    phone: '电话号码',
  },
}
