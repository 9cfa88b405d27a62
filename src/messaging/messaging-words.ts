type Spoken = 'en' | 'zh'

export const spokenBy = (language: string | undefined): Spoken => (language?.toLowerCase().startsWith('zh') ? 'zh' : 'en')

/** What Parley itself says to people in their chats. */
export const messagingWords = {
  en: {
    notAnAnswer: 'I could not read that as an answer. Please choose one of the options, or write one line for each number.',
    alreadyBy: (name: string) => `${name} has answered this already.`,
    already: 'This was answered already.',
    theOwner: 'the owner',
    wantsIn: (name: string, channel: string) => `${name} wants to write to your agents by ${channel}.`,
    code: (code: string) => `Their code is ${code}. Let them in only if they tell you the same.`,
    letIn: 'Let in',
    wasLetIn: (by: string) => `✓ Let in by ${by}.`,
    wasNotLetIn: (by: string) => `Not let in (${by}).`,
    couldNot: (why: string) => `${why} Write again whenever you like, and I will try once more.`,
    notNow: 'Not now',
    test: 'Parley is connected. You can write here.',
  },
  zh: {
    notAnAnswer: '没能把这句话当作回答。请从选项中选择，或按编号每行写一个回答。',
    alreadyBy: (name: string) => `${name} 已经回答过了。`,
    already: '这个问题已经有人回答了。',
    theOwner: '所有者',
    wantsIn: (name: string, channel: string) => `${name} 想通过 ${channel} 给你的代理写消息。`,
    code: (code: string) => `配对码是 ${code}。只有对方告诉你同样的号码时才放行。`,
    letIn: '放行',
    wasLetIn: (by: string) => `✓ ${by} 已放行。`,
    wasNotLetIn: (by: string) => `未放行（${by}）。`,
    couldNot: (why: string) => `${why} 随时再发一条消息，我会再试一次。`,
    notNow: '暂不',
    test: 'Parley 已连接。你可以在这里写消息。',
  },
} as const satisfies Record<Spoken, Record<string, string | ((...values: string[]) => string)>>
