import type { Option } from '../../src/build/build-events.ts'
import type { Language } from '../../src/dialog/events.ts'

type Choice = { prompt: string; options: Option[] }

export type BuildWords = {
  begun: string
  goal: Choice
  details: { prompt: string; pace: Choice; topic: string }
  halfway: string
  tested: string
  summary(topic: string): string
  output(plan: { goal: string; pace: string; topic: string }): string
}

const labelOf = ({ options }: Choice, id: string | undefined): string =>
  (options.find((option) => option.id === id) ?? options[0])?.label ?? ''

/** What the person chose, in words; something sensible where nothing is known. */
export const planOf = ({ goal, details }: BuildWords, answers: Readonly<Record<string, string>>) => ({
  goal: labelOf(goal, answers['goal']),
  pace: labelOf(details.pace, answers['pace']),
  topic: answers['topic'] ?? '…',
})

export const buildWords: Record<Language, BuildWords> = {
  en: {
    begun: 'I know what you would like. One thing decides which books fit.',
    goal: {
      prompt: 'What should the reading list be good for?',
      options: [
        { id: 'work', label: 'Getting better at work', description: 'Short and practical' },
        { id: 'joy', label: 'Reading for pleasure', description: 'Good stories first' },
        { id: 'start', label: 'Starting something new', description: 'Gentle introductions' },
      ],
    },
    details: {
      prompt: 'Two details, and I can plan it.',
      pace: {
        prompt: 'How often should it suggest a book?',
        options: [
          { id: 'week', label: 'Every week' },
          { id: 'month', label: 'Every month' },
        ],
      },
      topic: 'Which topic should it begin with?',
    },
    halfway: 'The suggestions read well so far. I am adding a reason to each of them.',
    tested: 'I tried it with three sample readers, and every suggestion fits.',
    summary: (topic) => `Your reading-list agent is ready. It begins with ${topic}.`,
    output: ({ goal, pace, topic }) =>
      [
        `# Your reading-list agent`,
        '',
        `**Good for:** ${goal}  `,
        `**Suggests:** ${pace.toLowerCase()}  `,
        `**Begins with:** ${topic}`,
        '',
        `1. *${topic}: a first walk through*, because it asks for no knowledge`,
        `2. *The people behind ${topic}*, because it tells a story`,
        `3. *A notebook on ${topic}*, because it can be read in small pieces`,
      ].join('\n'),
  },
  zh: {
    begun: '我明白您的想法了。还有一点决定哪些书合适。',
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
        `1. 《${topic}：初次漫步》，不需要任何基础`,
        `2. 《${topic}背后的人》，讲的是故事`,
        `3. 《${topic}笔记》，可以随时读一点`,
      ].join('\n'),
  },
}
