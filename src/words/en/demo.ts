import type { DemoBuildWords } from '../../app/demo/build-words.ts'
import type { DemoWords } from '../../app/demo/words.ts'

export const demo: DemoWords = {
  hello:
    'Hello, I am Ada. I am a scripted demo agent: no model is behind me and nothing leaves this machine. I can show you how Parley works, though. We will make a small reading list together. First I need one decision from you, and I will wait as long as it takes. You can close the page, or even stop the server, and answer later.',
  goal: {
    text: 'What should the reading list be for?',
    items: [
      {
        id: 'goal',
        text: 'Purpose',
        kind: 'choice',
        options: [
          { value: 'learn', label: 'Learn something new', hint: 'no previous knowledge needed' },
          { value: 'work', label: 'Get better at work' },
          { value: 'fun', label: 'Just for fun' },
        ],
      },
    ],
  },
  goalAnswered: (goal) => `“${goal}”, good. Two more details and I can start.`,
  skipped: {
    declined: 'That is fine, you do not have to answer. I will choose something sensible and continue.',
    cancelled: 'The question was withdrawn, so I will choose something sensible and continue.',
    expired: 'No answer came in time. That is not a no, so I will choose a sensible option; tell me if you prefer another.',
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
    'Thank you. Now I am asking my teammate @researcher which kind of books to look for. That happens in a separate side dialog that you can open and watch. I will continue when the reply arrives.',
  assignment: (topic) => `Say which kind of books about “${topic}” I should look for.`,
  pace: (pace) => `The reader keeps this pace: ${pace.toLowerCase()}.`,
  researching: '@researcher is still working. I continue as soon as the reply arrives.',
  researchLost: 'The side dialog of @researcher was given up, so I continue alone.',
  gathering: 'Good advice. I am using one of my tools to put the list together.',
  plan: ({ goal, pace, topic, titles, advice }) =>
    `## Your reading list: ${topic}

Purpose: **${goal.toLowerCase()}**. Pace: *${pace.toLowerCase()}*. I suggest this order:

${titles.map((title, index) => `${index + 1}. ${title}`).join('\n')}
${advice === '' ? '' : `\n> @researcher: ${advice}\n`}
| No. | Title | Time |
| --- | --- | --- |
${titles.map((title, index) => `| ${index + 1} | ${title} | ${index + 2} h |`).join('\n')}

As a plain file it looks like this:

\`\`\`yaml
topic: ${JSON.stringify(topic)}
pace: ${JSON.stringify(pace)}
books: ${titles.length}
\`\`\`

That was the tour: a streamed reply, a single question, a set of two, a teammate in a side dialog, a tool and this page.`,
  comeBack: 'Write to me again whenever you like.',
  suggest: (text, suggestion) => `${text} ${suggestion}`,
  titles: (topic) => [
    `${topic}: an introduction`,
    `The people behind ${topic}`,
    `${topic}, seen from the outside`,
    `A notebook on ${topic}`,
  ],
  listFailed: 'My list tool failed, so I have nothing to show. Write “again” and I will try again.',
  stillOpen: 'My question above is still open. Answer or decline it, and I will continue.',
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
    begin: 'I will look into it. First I have a question for the agent that asked me.',
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
            { value: 'any', label: 'Either' },
          ],
        },
      ],
    },
    report: {
      short: 'Look for short books, under two hundred pages: at this pace each is finished before it is forgotten.',
      long: 'Look for long books, and plan a pause after each: at this pace each one lasts a season.',
      any: 'Mix them: a short book after each long one keeps the pace.',
    },
    stillOpen: 'My question is still open. Answer or decline it, and I will continue.',
    later: 'I am @researcher and only look things up for @ada. Write to her; she asks me when she needs something.',
  },
}

export const demoBuild: DemoBuildWords = {
  begun: 'I understand the request. One more detail decides which books fit.',
  goal: {
    prompt: 'What is the reading list for?',
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
    topic: 'Which topic should it start with?',
  },
  halfway: 'The suggestions read well so far. I am adding a reason to each of them.',
  tested: 'I tried it with three sample readers, and every suggestion fits.',
  summary: (topic) => `Your reading-list agent is ready. It starts with ${topic}.`,
  output: ({ goal, pace, topic }) =>
    [
      `# Your reading-list agent`,
      '',
      `**Purpose:** ${goal}  `,
      `**Suggests:** ${pace.toLowerCase()}  `,
      `**Starts with:** ${topic}`,
      '',
      `1. *${topic}: an introduction*, because it needs no prior knowledge`,
      `2. *The people behind ${topic}*, because it tells a story`,
      `3. *A notebook on ${topic}*, because it can be read in small pieces`,
    ].join('\n'),
}
