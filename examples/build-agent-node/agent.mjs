#!/usr/bin/env node
/**
 * A build agent in one file of plain Node, no package. It builds a small greeting program and asks one question and one
 * set on the way.
 *
 * Parley starts it anew for each turn: the message is on stdin, its header block first; TIDY_BUILD_ID, TIDY_BUILD_PROMPT
 * and TIDY_SESSION_ID are in the environment; each line it writes to stdout is one event; what it writes to stderr is
 * for the operator of the server. It ends its turn by ending.
 *
 * It may be killed at any moment and started again with the same message. So everything it does is in a folder named
 * after the session, nothing is done twice there, and what it says again is left out by Parley.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

const { TIDY_SESSION_ID: session = '', TIDY_BUILD_PROMPT: prompt = '' } = process.env
const folder = join(process.env.BUILD_FOLDER ?? 'builds', session)
const paceMs = Number(process.env.BUILD_PACE_MS ?? 300)
mkdirSync(folder, { recursive: true })

// The header is metadata: read it, never say it.
const lines = readFileSync(0, 'utf8').split('\n')
const header = Object.fromEntries(lines.slice(0, lines.indexOf('')).map((line) => line.slice(1, -1).split(/:(.*)/s)))
// The notes of Parley come next, one on each line; the rest is the body, also where a person begins it like a note.
const note =
  /^System note: (?:headers above are|you were interrupted\.|something you sent was not taken:|this is a new round|the person adds:) /
const rest = lines.slice(lines.indexOf('') + 1)
const end = rest.findIndex((line) => !note.test(line))
const body = rest.slice(end).join('\n').trim()
// Something it sent was not taken. What was taken is left out when it is said again: so it says everything from the beginning.
const isMending = rest.slice(0, end).some((line) => line.startsWith('System note: something you sent was not taken: '))

// Answers are stored in the folder, so that every later turn can read them.
const memory = join(folder, 'answers.json')
const answers = existsSync(memory) ? JSON.parse(readFileSync(memory, 'utf8')) : {}
if (header.MESSAGE_TYPE === 'USER_ANSWER') answers[header.QUESTION_ID] = body
if (header.MESSAGE_TYPE === 'USER_ANSWERS') Object.assign(answers, JSON.parse(body))
writeWhole(memory, JSON.stringify(answers))

const steps = [
  ['build_record', 'Starting your build', 'I’m setting up your build session.'],
  ['parse', 'Understanding your request', 'I’m reading your request and mapping the plan.'],
  ['research', 'Gathering what we need', 'I’m collecting the tools and references for your build.'],
  ['design', 'Planning your agent', 'I’m creating the build plan for your agent.'],
  ['assemble', 'Building your agent', 'I’m assembling the pieces now.'],
  ['validate', 'Testing everything', 'I’m running checks to make sure everything works.'],
  ['finalize', 'Finalizing', 'I’m wrapping up and preparing your result.'],
]

const send = (type, payload = {}) => process.stdout.write(`${JSON.stringify({ type, payload: { ...payload, source: 'agent' } })}\n`)
const start = (index) => {
  const [id, title, description] = steps[index]
  send('progress.step.started', { step_id: id, title, description, index: index + 1, total: steps.length })
}
const complete = (index) => send('progress.step.completed', { step_id: steps[index][0] })
const greeting = join(folder, 'greeting.mjs')

async function begin() {
  send('status.changed', { status: 'running' })
  for (const index of [0, 1]) {
    start(index)
    await pause(paceMs)
    complete(index)
  }
  start(2)
}
function plan() {
  complete(2)
  start(3)
}

if (header.MESSAGE_TYPE === 'BUILD_REQUEST') {
  await begin()
  send('question.requested', {
    question_id: 'q-tone',
    prompt: 'How should the greeting sound?',
    input: 'single_choice',
    required: true,
    options: [
      { id: 'warm', label: 'Warm', description: 'As to a friend' },
      { id: 'formal', label: 'Formal', description: 'As in a letter' },
    ],
  })
} else if (header.MESSAGE_TYPE === 'USER_ANSWER') {
  if (isMending) await begin()
  plan()
  send('questions.requested', {
    question_set_id: 'set-details',
    prompt: 'Two details, and I can write it.',
    required_all: true,
    questions: [
      { question_id: 'q-name', prompt: 'Who is greeted?', input: 'text' },
      {
        question_id: 'q-time',
        prompt: 'At what time of day?',
        input: 'single_choice',
        options: [
          { id: 'morning', label: 'In the morning' },
          { id: 'evening', label: 'In the evening' },
        ],
      },
    ],
  })
} else {
  if (isMending) {
    await begin()
    plan()
  }
  complete(3)
  start(4)
  await pause(paceMs)
  const opening = answers['q-tone'] === 'formal' ? 'Dear' : 'Hello'
  const words = `${opening} ${answers['q-name']}, good ${answers['q-time']}!`
  writeWhole(greeting, `// ${prompt.replaceAll('\n', ' ')}\nexport const greeting = ${JSON.stringify(words)}\n`)
  complete(4)
  start(5)
  await pause(paceMs)
  const { greeting: made } = await import(pathToFileURL(resolve(greeting)).href)
  complete(5)
  start(6)
  complete(6)
  send('assistant.message.created', { text: 'Your greeting is ready.' })
  send('status.changed', { status: 'complete', output: made })
  send('session.completed')
}

/** Whole or not at all, also when this program is killed in between. */
function writeWhole(file, text) {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}
