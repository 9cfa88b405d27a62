import type { Language } from '../../src/dialog/events.ts'
import type { Question } from '../../src/dialog/question.ts'

/** Everything Ada and her teammate say, apart from when they say it. */
export type Words = {
  hello: string
  goal: Question
  goalAnswered(goal: string): string
  skipped: Record<'declined' | 'cancelled' | 'expired', string>
  details: Question
  asksResearcher: string
  assignment(topic: string): string
  pace(pace: string): string
  researching: string
  researchLost: string
  gathering: string
  plan(plan: { goal: string; pace: string; topic: string; titles: string[]; advice: string }): string
  listFailed: string
  stillOpen: string
  long: string[]
  later: { text: string; suggestion: string }[]
  /** Ends the tour; a suggestion of its own, so it is left out where nobody wants one. */
  comeBack: string
  /** Joins words and a suggestion as the language does. */
  suggest(text: string, suggestion: string): string
  defaults: { goal: string; pace: string; topic: string }
  researcher: {
    begin: string
    askBack: string
    length: Question
    report: Record<'short' | 'long' | 'any', string>
    stillOpen: string
    later: string
  }
}

const en: Words = {
  hello:
    'Hello, I am Ada. I am a scripted demo agent: no model is behind me and nothing leaves this machine. I can show you how Parley works, though. We will make a small reading list together. First I need one decision from you, and I will wait as long as it takes. You may close the page, or even stop the server, and answer later.',
  goal: {
    text: 'What should the reading list be for?',
    items: [
      {
        id: 'goal',
        text: 'Purpose',
        kind: 'choice',
        options: [
          { value: 'learn', label: 'Learn something new', hint: 'from the first page on' },
          { value: 'work', label: 'Get better at work' },
          { value: 'fun', label: 'Just for fun' },
        ],
      },
    ],
  },
  goalAnswered: (goal) => `“${goal}”, good. Two more details and I can start.`,
  skipped: {
    declined: 'That is fine, you do not have to answer. I will choose something sensible and go on.',
    cancelled: 'The question was taken back, so I will choose something sensible and go on.',
    expired: 'Nobody answered in time. That is not a no, so I will choose something sensible; tell me if you want it otherwise.',
  },
  details: {
    text: 'Before I go on, two details.',
    items: [
      {
        id: 'pace',
        text: 'How much do you want to read?',
        kind: 'choice',
        options: [
          { value: 'calm', label: 'One book a month' },
          { value: 'steady', label: 'Two books a month' },
          { value: 'keen', label: 'One book a week' },
        ],
      },
      { id: 'topic', text: 'Which topic?', kind: 'text', placeholder: 'for example: how cities grow' },
    ],
  },
  asksResearcher:
    'Thank you. Now I ask my teammate @researcher which kind of books to look for. That happens in a side dialog of its own: open it and watch. I rest until the reply is there.',
  assignment: (topic) => `Say which kind of books about “${topic}” I should look for.`,
  pace: (pace) => `The reader keeps this pace: ${pace.toLowerCase()}.`,
  researching: '@researcher is still at it. As soon as the reply is there, I go on by myself.',
  researchLost: 'The side dialog of @researcher was given up, so I go on alone.',
  gathering: 'Good advice. I am putting the list together with a tool of mine.',
  plan: ({ goal, pace, topic, titles, advice }) =>
    `## Your reading list: ${topic}

For you it is about: **${goal.toLowerCase()}**. The pace: *${pace.toLowerCase()}*. This is the order I suggest:

${titles.map((title, index) => `${index + 1}. ${title}`).join('\n')}
${advice === '' ? '' : `\n> @researcher: ${advice}\n`}
| Book | What | Time |
| --- | --- | --- |
${titles.map((title, index) => `| ${index + 1} | ${title} | ${index + 2} h |`).join('\n')}

If you like plain files, keep it like this:

\`\`\`yaml
topic: ${JSON.stringify(topic)}
pace: ${JSON.stringify(pace)}
books: ${titles.length}
\`\`\`

That was the tour: a streamed reply, a single question, a set of two, a teammate in a side dialog, a tool and this page.`,
  comeBack: 'Write to me again whenever you like.',
  suggest: (text, suggestion) => `${text} ${suggestion}`,
  listFailed: 'My list tool did not work this time, so I have nothing to show. Write “again” and I will try once more.',
  stillOpen: 'My question above is still open. Answer it, or decline it, and I will go on. I have not forgotten you.',
  long: [
    'Here is a long and slow reply, so that you can try the Stop button.',
    'A reply is shown while it is written, but only the finished text is kept.',
    'If you stop me now, what you can read stays on the page and is marked as stopped.',
    'If the server dies instead, the reply is written again from the start and replaces this half.',
    'Nothing is shown twice, and nothing is lost.',
    'You can also close the page and come back on another device.',
    'I am still talking, as you can see.',
    'There is not much more to say.',
    'But a long reply has to be long.',
    'Here it ends.',
  ],
  later: [
    {
      text: 'I am only a script, so I cannot really answer that.',
      suggestion: 'To talk with a real model, run `parley model set` and then `parley model test`.',
    },
    {
      text: 'Still the script, I am afraid.',
      suggestion: 'Write “long” to get a reply you can stop, or set a model with `parley model set`.',
    },
    {
      text: 'I have shown all I can.',
      suggestion: '`parley chat` brings me to your terminal, and `parley model set` gives me a real mind.',
    },
  ],
  defaults: { goal: 'Learn something new', pace: 'One book a month', topic: 'How things are made' },
  researcher: {
    begin: 'I look into it. One thing only the one who asked me can know, so I ask back.',
    askBack: 'How much does the reader want to read?',
    length: {
      text: 'Short books or long ones?',
      items: [
        {
          id: 'length',
          text: 'Length',
          kind: 'choice',
          options: [
            { value: 'short', label: 'Short ones', hint: 'an evening or two' },
            { value: 'long', label: 'Long ones' },
            { value: 'any', label: 'No matter' },
          ],
        },
      ],
    },
    report: {
      short: 'Look for short books, under two hundred pages: at this pace each is finished before it is forgotten.',
      long: 'Look for long books, and plan a pause after each: at this pace they carry through a season.',
      any: 'Mix them: a short book after each long one keeps the pace.',
    },
    stillOpen: 'My question is still open. Answer it, or decline it, and I go on.',
    later: 'I am @researcher and only look things up for @ada. Write to her; she asks me when she needs me.',
  },
}

const zh: Words = {
  hello:
    '你好，我是 Ada，一个按脚本演示的智能体：背后没有模型，也不会有任何数据离开这台机器。不过我可以带你看看 Parley 如何工作。我们一起做一份小书单。首先需要你做一个决定，多久我都会等。你可以关掉页面，甚至停掉服务器，之后再回答。',
  goal: {
    text: '这份书单是为了什么？',
    items: [
      {
        id: 'goal',
        text: '目的',
        kind: 'choice',
        options: [
          { value: 'learn', label: '学点新东西', hint: '从第一页开始' },
          { value: 'work', label: '把工作做得更好' },
          { value: 'fun', label: '只为开心' },
        ],
      },
    ],
  },
  goalAnswered: (goal) => `“${goal}”，好的。再确认两个细节我就开始。`,
  skipped: {
    declined: '没关系，不回答也可以。我会选一个合适的继续。',
    cancelled: '这个问题被撤回了，我会选一个合适的继续。',
    expired: '没有人及时回答。这不等于拒绝，我先选一个合适的；如果想改，请告诉我。',
  },
  details: {
    text: '继续之前，还有两个细节。',
    items: [
      {
        id: 'pace',
        text: '你想读多少？',
        kind: 'choice',
        options: [
          { value: 'calm', label: '每月一本' },
          { value: 'steady', label: '每月两本' },
          { value: 'keen', label: '每周一本' },
        ],
      },
      { id: 'topic', text: '想读什么主题？', kind: 'text', placeholder: '例如：城市如何生长' },
    ],
  },
  asksResearcher: '谢谢。现在我请队友 @researcher 看看该找哪一类书。这在一个单独的支线对话里进行，你可以打开它旁观。收到回复之前我先休息。',
  assignment: (topic) => `请说明：关于“${topic}”，我应该找哪一类书。`,
  pace: (pace) => `读者的节奏是：${pace}。`,
  researching: '@researcher 还在进行中。一收到回复，我就会自己继续。',
  researchLost: '@researcher 的支线对话已被放弃，我自己继续。',
  gathering: '好建议。我正在用自己的工具整理书单。',
  plan: ({ goal, pace, topic, titles, advice }) =>
    `## 你的书单：${topic}

你的目的是 **${goal}**，节奏是 *${pace}*。我建议按这个顺序：

${titles.map((title, index) => `${index + 1}. ${title}`).join('\n')}
${advice === '' ? '' : `\n> @researcher：${advice}\n`}
| 本 | 内容 | 时间 |
| --- | --- | --- |
${titles.map((title, index) => `| ${index + 1} | ${title} | ${index + 2} 小时 |`).join('\n')}

如果你喜欢纯文本文件，可以这样保存：

\`\`\`yaml
topic: ${JSON.stringify(topic)}
pace: ${JSON.stringify(pace)}
books: ${titles.length}
\`\`\`

演示到此结束：逐字显示的回复、一个单选问题、一组两个问题、支线对话里的一位队友、一个工具，还有这一页。`,
  comeBack: '随时可以再写给我。',
  suggest: (text, suggestion) => `${text}${suggestion}`,
  listFailed: '我的书单工具这次没有成功，所以没有东西可以展示。写“再来”，我会再试一次。',
  stillOpen: '上面的问题还没有回答。回答或谢绝之后，我就继续。我没有忘记你。',
  long: [
    '这是一段又长又慢的回复，方便你试试停止按钮。',
    '回复在写的过程中就会显示，但只有写完的文字会被保存。',
    '如果现在让我停下，已经看到的文字会留在页面上，并标明已停止。',
    '如果是服务器中断，回复会从头再写，并替换这一半。',
    '不会重复，也不会丢失。',
    '你也可以关掉页面，换一台设备再回来。',
    '你看，我还在说。',
    '其实没有更多要说的了。',
    '但是长回复总得够长。',
    '到这里就结束了。',
  ],
  later: [
    {
      text: '我只是一个脚本，没法真正回答这个问题。',
      suggestion: '想和真正的模型对话，请运行 `parley model set`，然后 `parley model test`。',
    },
    { text: '还是脚本在说话。', suggestion: '写“长”可以得到一段能停止的长回复，或者用 `parley model set` 设置模型。' },
    { text: '我能展示的都展示了。', suggestion: '`parley chat` 可以在终端里和我聊，`parley model set` 会给我一个真正的头脑。' },
  ],
  defaults: { goal: '学点新东西', pace: '每月一本', topic: '事物是怎样造出来的' },
  researcher: {
    begin: '我来看看。有一件事只有诉请者知道，所以先回问一下。',
    askBack: '读者想读多少？',
    length: {
      text: '短一点的书，还是长一点的？',
      items: [
        {
          id: 'length',
          text: '篇幅',
          kind: 'choice',
          options: [
            { value: 'short', label: '短的', hint: '一两个晚上' },
            { value: 'long', label: '长的' },
            { value: 'any', label: '都可以' },
          ],
        },
      ],
    },
    report: {
      short: '找短一点的书，两百页以内：按这个节奏，每一本都能在忘记之前读完。',
      long: '找长一点的书，每本之后歇一歇：按这个节奏可以读一个季节。',
      any: '长短搭配：每本长书之后读一本短的，节奏就不会断。',
    },
    stillOpen: '我的问题还没有回答。回答或谢绝之后，我就继续。',
    later: '我是 @researcher，只替 @ada 查资料。请写给她，她需要时会来问我。',
  },
}

export const words: Record<Language, Words> = { en, zh }
