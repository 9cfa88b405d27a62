import type { DemoBuildWords } from '../../app/demo/build-words.ts'
import type { DemoWords } from '../../app/demo/words.ts'

export const demo: DemoWords = {
  hello:
    '您好，我是 Ada，一个按脚本演示的代理：背后没有模型，也不会有任何数据离开这台机器。不过我可以带您看看 Parley 如何工作。我们一起做一份小书单。首先需要您做一个决定，我会一直等。您可以关掉页面，甚至停掉服务器，之后再回答。',
  goal: {
    text: '这份书单是为了什么？',
    items: [
      {
        id: 'goal',
        text: '目的',
        kind: 'choice',
        options: [
          { value: 'learn', label: '学点新东西', hint: '零基础也可以' },
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
    expired: '没有人及时回答。这不等于拒绝，我先选一个合适的；如需更改，请告诉我。',
  },
  details: {
    text: '继续之前，还有两个细节。',
    items: [
      {
        id: 'pace',
        text: '您想读多少？',
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
  asksResearcher: '谢谢。现在我请队友 @researcher 看看该找哪一类书。这在一个单独的支线对话里进行，您可以打开查看。我会等它回复。',
  assignment: (topic) => `请说明：关于“${topic}”，我应该找哪一类书。`,
  pace: (pace) => `读者的节奏是：${pace}。`,
  researching: '@researcher 还在工作。收到回复后我会马上继续。',
  researchLost: '@researcher 的支线对话已被放弃，我自己继续。',
  gathering: '好建议。我正在用自己的工具整理书单。',
  plan: ({ goal, pace, topic, titles, advice }) =>
    `## 您的书单：${topic}

您的目的是 **${goal}**，节奏是 *${pace}*。我建议按这个顺序：

${titles.map((title, index) => `${index + 1}. ${title}`).join('\n')}
${advice === '' ? '' : `\n> @researcher：${advice}\n`}
| 序号 | 书名 | 时间 |
| --- | --- | --- |
${titles.map((title, index) => `| ${index + 1} | ${title} | ${index + 2} 小时 |`).join('\n')}

保存成纯文本文件是这样的：

\`\`\`yaml
topic: ${JSON.stringify(topic)}
pace: ${JSON.stringify(pace)}
books: ${titles.length}
\`\`\`

演示到此结束：逐字显示的回复、一个单选问题、一组两个问题、支线对话里的一位队友、一个工具，还有这一页。`,
  comeBack: '随时可以再给我发消息。',
  suggest: (text, suggestion) => `${text}${suggestion}`,
  titles: (topic) => [`${topic}入门`, `${topic}背后的人`, `从外面看${topic}`, `${topic}笔记`],
  listFailed: '书单工具执行失败，没有内容可以展示。写“再来”，我会重试。',
  stillOpen: '上面的问题还没有回答。回答或婉拒之后，我就继续。',
  long: [
    '这是一段又长又慢的回复，方便您试试停止按钮。',
    '回复在写的过程中就会显示，但只有写完的文字会被保存。',
    '如果现在让我停下，已经看到的文字会留在页面上，并标明已停止。',
    '如果是服务器中断，回复会从头再写，并替换这一半。',
    '不会重复，也不会丢失。',
    '您也可以关掉页面，换一台设备再回来。',
    '您看，我还在说。',
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
    begin: '我来看看。先向请求我的代理确认一个问题。',
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
      long: '找长一点的书，每本之后歇一歇：按这个节奏，每本能读上一季。',
      any: '长短搭配：每本长书之后读一本短的，节奏就不会断。',
    },
    stillOpen: '我的问题还没有回答。回答或婉拒之后，我就继续。',
    later: '我是 @researcher，只替 @ada 查资料。请给她发消息，她需要时会来问我。',
  },
}

export const demoBuild: DemoBuildWords = {
  begun: '我明白您的需求了。还有一个细节会影响选书。',
  goal: {
    prompt: '这份书单主要用来做什么？',
    options: [
      { id: 'work', label: '提升工作能力', description: '简短实用' },
      { id: 'joy', label: '消遣阅读', description: '好故事优先' },
      { id: 'start', label: '了解新事物', description: '轻松入门' },
    ],
  },
  details: {
    prompt: '再确认两个细节，我就可以规划了。',
    pace: {
      prompt: '多久推荐一本书？',
      options: [
        { id: 'week', label: '每周' },
        { id: 'month', label: '每月' },
      ],
    },
    topic: '从哪个主题开始？',
  },
  halfway: '目前的推荐读起来不错，我正在为每一本补上理由。',
  tested: '我请三位示例读者试用过，每条推荐都合适。',
  summary: (topic) => `您的书单代理已经准备好了，从“${topic}”开始。`,
  output: ({ goal, pace, topic }) =>
    [
      '# 您的书单代理',
      '',
      `**用途：**${goal}  `,
      `**频率：**${pace}  `,
      `**起点：**${topic}`,
      '',
      `1. 《${topic}入门》，不需要任何基础`,
      `2. 《${topic}背后的人》，讲的是故事`,
      `3. 《${topic}笔记》，可以随时读一点`,
    ].join('\n'),
}
