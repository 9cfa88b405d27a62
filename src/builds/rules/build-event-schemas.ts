import type { BuildEventOf, BuildEventType } from './build-events.ts'
import { buildLimits as limits } from './build-limits.ts'
import { stepIds, stepOf } from './steps.ts'

/** One field of a payload, for the page of events and for the test of the reader. */
export type FieldSchema = {
  /** As the page shows it. */
  type: string
  isOptional?: true
  about: string
  /** Fields of each element of a list. */
  fields?: Readonly<Record<string, FieldSchema>>
}

type EventSchema<Type extends BuildEventType> = {
  about: string
  from: 'the agent' | 'Parley'
  fields: { readonly [Name in keyof Required<BuildEventOf<Type>['payload']>]: FieldSchema }
  example: BuildEventOf<Type>['payload']
}

const text = (most: number): string => `text, at most ${most.toLocaleString('en')} characters`
const agent: FieldSchema = { type: '`"agent"`', about: 'Always this text.' }
const id = (about: string): FieldSchema => ({ type: `text, at most ${limits.idChars} characters, no blanks, commas, brackets`, about })
const source = 'agent' as const

const input: FieldSchema = { type: '`"single_choice"` or `"text"`', about: 'A choice has options, a text has none.' }
const options: FieldSchema = {
  type: `list, 2 to ${limits.options} for a choice`,
  isOptional: true,
  about: 'The answers to choose from; their ids differ.',
  fields: {
    id: id('Given back as the answer.'),
    label: { type: text(limits.labelChars), about: 'Shown to the person.' },
    description: { type: text(limits.labelChars), isOptional: true, about: 'A second line below the label.' },
  },
}
const region = [
  { id: 'eu', label: 'Europe' },
  { id: 'us', label: 'US' },
]
const { title, description } = stepOf('build_record', 'en')

/** Every event of the build protocol with its fields. The compiler compares it with `BuildEvent`, a test with the reader. */
export const buildEventSchemas: { readonly [Type in BuildEventType]: EventSchema<Type> } = {
  'session.started': {
    about: 'A build or a new round of it begins.',
    from: 'Parley',
    fields: {
      build_id: { type: 'UUID', about: 'The build.' },
      session_id: { type: 'UUID', about: 'The same for every turn and round.' },
      round: {
        type: 'whole number from 1',
        isOptional: true,
        about: '2 after the first retry or change, and so on; absent in the first round.',
      },
      source: { type: '`"backend"`', about: 'Always this text.' },
    },
    example: { build_id: '0197f3a0-1c5e-7b2a-9d41-6f0c8e2b7a53', session_id: '0197f3a0-1c5e-7b2a-9d41-7a1d9f3c8b64', source: 'backend' },
  },
  'assistant.message.created': {
    about: 'A short message to the person. Longer ones are shortened.',
    from: 'the agent',
    fields: {
      text: { type: text(limits.rawMessageChars), about: `At most ${limits.messageChars} characters are shown.` },
      kind: {
        type: '`"reassurance"`',
        isOptional: true,
        about: 'Set by Parley for the one line after a long silence; ignored from an agent.',
      },
      source: agent,
    },
    example: { text: 'I found three sources.', source },
  },
  'progress.step.started': {
    about: 'The next step begins. The step before it must be completed.',
    from: 'the agent',
    fields: {
      step_id: { type: stepIds.map((each) => `\`${each}\``).join(', '), about: 'In this order, each once in a round.' },
      title: { type: text(limits.labelChars), about: 'As in the table below; other words give a warning and are replaced.' },
      description: { type: text(limits.labelChars), about: 'As in the table below.' },
      index: { type: `1 to ${stepIds.length}`, about: 'Place of the step.' },
      total: { type: `${stepIds.length}`, about: 'Number of steps.' },
      source: agent,
    },
    example: { step_id: 'build_record', title, description, index: 1, total: stepIds.length, source },
  },
  'progress.step.completed': {
    about: 'The open step ends.',
    from: 'the agent',
    fields: { step_id: { type: 'the step that is open', about: 'The step.' }, source: agent },
    example: { step_id: 'build_record', source },
  },
  'status.changed': {
    about: '`running` is the first event of an agent, once. `complete` needs all steps done; `failed` is possible at any time.',
    from: 'the agent',
    fields: {
      status: { type: '`"running"`, `"complete"` or `"failed"`', about: 'The new status.' },
      output: { type: text(limits.outputChars), isOptional: true, about: 'The result in Markdown, byte for byte; not with `running`.' },
      source: agent,
    },
    example: { status: 'complete', output: '# Reading list', source },
  },
  'question.requested': {
    about: 'One question to the person. The turn ends, and the answer is the next turn.',
    from: 'the agent',
    fields: {
      question_id: id('Names the answer; unique in the session.'),
      prompt: { type: text(limits.questionChars), about: 'The question.' },
      input,
      required: { type: '`true`', about: 'Always.' },
      options,
      source: agent,
    },
    example: { question_id: 'q-region', prompt: 'Which region?', input: 'single_choice', required: true, options: region, source },
  },
  'questions.requested': {
    about: 'Several questions that are answered together.',
    from: 'the agent',
    fields: {
      question_set_id: id('Names the set.'),
      prompt: { type: text(limits.questionChars), about: 'Above the questions.' },
      required_all: { type: '`true`', about: 'Always.' },
      questions: {
        type: `list of 2 to ${limits.questionsInSet}`,
        about: 'The questions; their ids differ.',
        fields: {
          question_id: id('Names the answer; unique in the session.'),
          prompt: { type: text(limits.questionChars), about: 'The question.' },
          input,
          options,
        },
      },
      source: agent,
    },
    example: {
      question_set_id: 'set-details',
      prompt: 'Two details, and I can write it.',
      required_all: true,
      questions: [
        { question_id: 'q-name', prompt: 'Who is greeted?', input: 'text' },
        { question_id: 'q-region', prompt: 'Which region?', input: 'single_choice', options: region },
      ],
      source,
    },
  },
  'session.completed': {
    about: 'The last event of a round that succeeded.',
    from: 'the agent',
    fields: { source: agent },
    example: { source },
  },
  'session.failed': {
    about: 'The last event of a round that failed.',
    from: 'the agent',
    fields: {
      reason: { type: text(limits.reasonChars), isOptional: true, about: 'Why, in a few words.' },
      source: agent,
    },
    example: { reason: 'no seats left', source },
  },
}
