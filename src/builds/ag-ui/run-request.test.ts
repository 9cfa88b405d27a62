import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as agent from '../rules/test/agent-script.ts'
import { emptyPicture, pictureAfter } from './build-picture.ts'
import { runInput } from './run-input.ts'
import { findOpening, readRunRequest } from './run-request.ts'
import { toViews } from './test/any-build.ts'

const toPicture = (story: agent.Story) => toViews(story.log).reduce(pictureAfter, emptyPicture('b1'))
const user = (content: unknown, id = 'm1') => ({ id, role: 'user', content })
const toInput = (messages: object[], more: object = {}) => runInput.parse({ threadId: 't', runId: 'r', messages, ...more })
const prompt = user('Build me a reading list')

const request = (story: agent.Story, messages: object[], more: object = {}): string => {
  const runRequest = readRunRequest(toPicture(story), toInput(messages, more))
  return 'refused' in runRequest ? runRequest.refused.code : runRequest.kind
}

test('what a run wants follows from how the build stands and what is new in it', () => {
  const running = () => agent.building().sends(agent.running)
  const asked = () => running().sends(agent.asks()).endsTurn()
  const heard = () => running().does({ type: 'instruct', text: 'with pictures', by: 'owner' })
  const over = () => running().does({ type: 'cancel-build', by: 'owner' })
  const reply = { id: 'b1:4', role: 'assistant', content: 'Well.' }
  const more = user('with pictures', 'm2')
  const yes = { resume: [{ interruptId: 'q-region', status: 'resolved', payload: 'eu' }] }
  const no = { resume: [{ interruptId: 'q-region', status: 'cancelled' }] }
  const rows: [string, agent.Story, object[], object, string][] = [
    ['runs, nothing new', running(), [prompt], {}, 'watch'],
    ['runs, no messages at all', running(), [], {}, 'watch'],
    ['runs, the last word was ours', running(), [prompt, reply], {}, 'watch'],
    ['runs, more words', running(), [prompt, reply, more], {}, 'instruct'],
    ['runs, the same words once more', running(), [prompt, reply, { ...prompt, id: 'm2' }], {}, 'instruct'],
    ['runs, an answer to nothing', running(), [prompt], yes, 'no_question_open'],
    ['asks, nothing new', asked(), [prompt], {}, 'watch'],
    ['asks, null for nothing', asked(), [prompt], { resume: null }, 'watch'],
    ['asks, more words', asked(), [prompt, more], {}, 'resume_needed'],
    ['asks, words heard before', heard().sends(agent.asks()), [prompt, more], {}, 'watch'],
    ['asks, an answer', asked(), [prompt], yes, 'answer'],
    ['asks, abandoned', asked(), [prompt], no, 'cancel'],
    ['over, end not seen', over(), [prompt], { state: { build: 'b1', status: 'running' } }, 'watch'],
    ['over, an answer too late', over(), [prompt], yes, 'watch'],
    ['over, end seen', over(), [prompt], { state: { build: 'b1', status: 'cancelled' } }, 'watch'],
    ['over, end of another one seen', over(), [prompt], { state: { build: 'b2', status: 'complete' } }, 'watch'],
    ['over, more words', over(), [prompt, more], {}, 'instruct'],
    ['over, words heard before', heard().sends(agent.say('No.'), agent.failed, agent.failedAll), [prompt, more], {}, 'watch'],
  ]
  assert.deepEqual(
    rows.map(([name, story, messages, given]) => [name, request(story, messages, given)]),
    rows.map(([name, , , , expected]) => [name, expected]),
  )
})

test('the prompt is the last text of the person, in one piece or in parts, and never a picture left out', () => {
  const opening = (content: unknown) =>
    findOpening(toInput([user('old', 'm0'), user(content), { id: 'a', role: 'assistant', content: 'x' }]))
  assert.deepEqual(opening('  a list\r\n'), { prompt: 'a list' })
  assert.deepEqual(
    opening([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'list' },
    ]),
    { prompt: 'a\nlist' },
  )
  const code = (content: unknown): string => {
    const match = opening(content)
    return 'refused' in match ? match.refused.code : match.prompt
  }
  assert.equal(
    code([
      { type: 'text', text: 'like this:' },
      { type: 'image', source: {} },
    ]),
    'bad_request',
  )
  assert.equal(code([null]), 'bad_request')
  assert.equal(code(' \u0000 '), 'empty_text')
  assert.equal(code(undefined), 'bad_request')
})
