import assert from 'node:assert/strict'
import { causes, countNotes, expectRuns, facts, lastAsked, outputs, replies, toolNames, wordsSaid } from './end-state.ts'
import type { Played } from './play.ts'
import type { SentenceCheck } from './side-checks.ts'

const ends = ({ place }: Played): void => assert.equal(place.detail.status, 'ready')

const inputs = ({ place }: Played, tool: string): unknown[] =>
  facts(place, 'tool.called')
    .filter(({ name }) => name === tool)
    .map(({ input }) => input)

/** All results are in the next list, in the order of their calls. */
function resultsInOrder(played: Played, ...texts: readonly string[]): void {
  const places = texts.map((text) => lastAsked(played).indexOf(text))
  assert.ok(
    places.every((at) => at >= 0),
    `a result is missing: ${places.join(', ')}`,
  )
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  )
}

const forcedCourse = (played: Played): void => {
  const code = facts(played.place, 'generation.failed')[0]?.['code']
  assert.equal(code, 'context_overflow')
  assert.deepEqual(causes(played, 'course.started'), ['first', 'forced'])
  ends(played)
}

const needsReload = {
  not: 'a replay cannot choose the moment at which a server takes changed settings: test/dialogs/prompt.test.ts',
}
const atOpenAi = { not: 'only at the address of OpenAI: src/agents/models/parameter-faults.test.ts' }
const modelChange = { not: 'the owner changes no model during a replay: test/dialogs/prompt-histories.test.ts' }
const withoutTextCalls = { not: 'the line is said with textCalls on: src/agents/models/read-output.test.ts' }
const secondLength = { not: 'the line says it once: src/agents/runtimes/prompt-generation.test.ts' }

/** Lines in a root, in fresh minds and in a chain of agents. */
export const rootChecks: Record<string, readonly SentenceCheck[]> = {
  'parallel-calls': [
    (played) => {
      assert.deepEqual(toolNames(played), ['tellaskSessionless', 'tellaskSessionless', 'read_file'])
      assert.deepEqual(
        facts(played.place, 'tellask.made').map(({ content }) => content),
        ['A', 'B'],
      )
      assert.deepEqual(outputs(played, 'read_file'), ['42 in x'])
    },
    (played) => {
      const asked = new Map(facts(played.place, 'tellask.made').map(({ tellask, content }) => [tellask, content]))
      assert.deepEqual(
        replies(played)
          .map(({ tellask, text }) => `${String(asked.get(tellask))} ${String(text)}`)
          .toSorted(),
        ['A 【最终完成】\nFacts: A', 'B 【最终完成】\nFacts: B'],
      )
      ends(played)
    },
  ],
  'parallel-calls-concatenated': [
    (played) => assert.deepEqual(inputs(played, 'read_file'), [{ path: 'a' }, { path: 'b' }]),
    (played) => {
      assert.deepEqual(outputs(played, 'read_file'), ['42 in a', '42 in b'])
      resultsInOrder(played, '42 in a', '42 in b')
    },
  ],
  'same-id-different-arguments': [
    (played) => {
      expectRuns(played, 'grep', [{ p: 'a' }, { p: 'b' }])
      assert.equal(outputs(played, 'grep').length, 2)
    },
  ],
  'same-id-same-arguments': [
    (played) => {
      expectRuns(played, 'send_mail', [{ to: 'mia' }])
      assert.equal(toolNames(played).length, 1)
      assert.equal(lastAsked(played).split('"name":"send_mail"').length, 2)
    },
  ],
  'no-call-id': [
    (played) => {
      assert.deepEqual(outputs(played, 'read_file'), ['42 in a', '42 in b'])
      resultsInOrder(played, '42 in a', '42 in b')
    },
  ],
  'empty-after-tool-result': [
    (played) => assert.equal(played.asked.at(-1), played.asked.at(-2), 'the same bytes'),
    (played) => assert.deepEqual(wordsSaid(played), ['The file says 42.']),
  ],
  'only-reasoning-length': [
    (played) => {
      const bounds = played.bodies.map((body) => body['max_tokens'] ?? body['max_completion_tokens'] ?? body['max_output_tokens'])
      assert.deepEqual([...new Set(bounds)], [1_000, 2_000])
      assert.deepEqual(wordsSaid(played), ['That is all.'])
    },
    secondLength,
  ],
  'reasoning-items-responses': [
    (played) => {
      const input = played.bodies.at(-1)?.['input'] as { type: string; phase?: string }[]
      assert.deepEqual(
        input.slice(-4).map(({ type }) => type),
        ['reasoning', 'message', 'function_call', 'function_call_output'],
      )
      assert.equal(input.at(-3)?.phase, 'commentary')
    },
    (played) => {
      for (const body of played.bodies) assert.deepEqual([body['store'], 'previous_response_id' in body], [false, false])
    },
  ],
  'chat-refuses-tools-with-reasoning': [
    atOpenAi,
    (played) => {
      assert.deepEqual([...new Set(played.bodies.map((body) => body['reasoning_effort']))], ['high', 'none'])
      assert.deepEqual(wordsSaid(played), ['That is all.'])
    },
  ],
  'max-tokens-refused': [
    (played) => {
      assert.ok('max_completion_tokens' in (played.bodies.at(-1) ?? {}))
      assert.deepEqual(wordsSaid(played), ['Hello.'])
    },
  ],
  'reasoning-content-required': [
    (played) => {
      const messages = played.bodies.at(-1)?.['messages'] as { role: string; tool_calls?: object; reasoning_content?: string }[]
      const ofCalls = messages.filter((message) => message.role === 'assistant' && message.tool_calls)
      assert.deepEqual(
        ofCalls.map((message) => message.reasoning_content),
        ['I read it.', ''],
      )
    },
    ends,
  ],
  'thought-signature-required': [
    (played) => {
      assert.ok(lastAsked(played).includes('"extra_content":{"google":{"thought_signature":"abc"}}'))
      assert.deepEqual(wordsSaid(played), ['42'])
    },
  ],
  'thinking-rejected-after-model-change': [
    modelChange,
    (played) => {
      assert.ok(!lastAsked(played).includes('"signature":"bad"'))
      assert.ok(causes(played, 'epoch.started').includes('reasoning-refused'))
      assert.deepEqual(wordsSaid(played), ['Hello.'])
    },
  ],
  'refusal-stop-reason': [
    (played) => {
      assert.deepEqual(
        facts(played.place, 'turn.failed').map(({ code }) => code),
        ['model_declined'],
      )
      assert.deepEqual([played.place.detail.status, played.failuresInInbox, new Set(played.asked).size], ['failed', 1, 1])
    },
  ],
  'wrong-case-tool-name': [
    (played) => assert.deepEqual(toolNames(played), ['tellask']),
    (played) =>
      assert.deepEqual(
        facts(played.place, 'tellask.made').map(({ session }) => session),
        ['facts'],
      ),
  ],
  'prefixed-tool-name': [
    (played) =>
      assert.deepEqual(
        facts(played.place, 'reminder.added').map(({ text }) => text),
        ['x'],
      ),
  ],
  'unknown-tool': [
    (played) => {
      const [output = ''] = outputs(played, 'delegate_task')
      assert.match(output, /^There is no tool delegate_task\. Tools: /)
      const tools = played.bodies[0]?.['tools'] as { name?: string; function?: { name: string } }[]
      for (const { name, function: { name: inside } = { name: '' } } of tools) assert.ok(output.includes(name ?? inside))
      assert.deepEqual(wordsSaid(played), ['That is all.'])
    },
  ],
  'json-in-markdown-fence': [
    (played) => {
      assert.deepEqual(outputs(played, 'read_file'), ['42 in x'])
      assert.deepEqual(wordsSaid(played), ['That is all.'])
    },
    withoutTextCalls,
  ],
  'arguments-in-fence-or-tags': [
    (played) => assert.deepEqual(outputs(played, 'read_file'), ['42 in x', '42 in x']),
    (played) => assert.ok(!lastAsked(played).includes('```') && !lastAsked(played).includes('</tool_call>')),
  ],
  'arguments-string-in-string': [
    (played) => assert.deepEqual([inputs(played, 'add_reminder'), facts(played.place, 'reminder.added').length], [[{ content: 'x' }], 1]),
  ],
  'broken-json-arguments': [
    (played) => {
      assert.match(outputs(played, 'read_file')[0] ?? '', /^The arguments do not fit: /)
      assert.ok(lastAsked(played).includes('unreadable'))
    },
    (played) => assert.equal(outputs(played, 'read_file')[1], '42 in x'),
  ],
  'call-of-removed-tool': [needsReload],
  'over-32-calls': [
    (played) => {
      const results = outputs(played, 'read_file')
      assert.ok(results.length > 32)
      assert.deepEqual(
        results.map((text) => text.startsWith('42 in ')),
        results.map((_, at) => at < 32),
      )
      ends(played)
    },
  ],
  'announces-then-stops-root': [
    (played) => {
      assert.equal(wordsSaid(played)[0], 'I will ask the researcher now.')
      assert.deepEqual(
        facts(played.place, 'tellask.made').map(({ session }) => session),
        ['f'],
      )
    },
    (played) => assert.equal(countNotes(played, 'diligence'), 1, 'one push was allowed'),
  ],
  'wrong-language': [
    (played) => assert.deepEqual(wordsSaid(played), ['好的，总结如下：……']),
    (played) => assert.equal(JSON.stringify(played.bodies.at(-1)).split('# Language').length, 2),
  ],
  'floods-reminders': [
    (played) => {
      const results = outputs(played, 'add_reminder')
      assert.equal(facts(played.place, 'reminder.added').length, 1)
      assert.equal(results.filter((text) => text.includes('reminder 1 already')).length, 11)
    },
    (played) => assert.equal(facts(played.place, 'prompt.noted').length, 0),
  ],
  'clear-mind-with-open-question': [
    (played) => {
      assert.equal(facts(played.place, 'question.cancelled').length, 1)
      assert.equal(played.questionsInInbox, 0)
      assert.deepEqual(causes(played, 'course.started'), ['first', 'asked'])
      for (const text of ['Continue with the printer.', 'Please hurry.']) assert.ok(lastAsked(played).includes(text), text)
      assert.ok(!/<waiting>[^<]*q1/.test(lastAsked(played)))
    },
  ],
  'asks-human-what-teammate-knows': [
    (played) => assert.equal(facts(played.place, 'question.asked').length, 1),
    (played) => {
      assert.ok(lastAsked(played).includes('Ask @researcher, please.'))
      assert.deepEqual(
        facts(played.place, 'tellask.made').map(({ content }) => content),
        ['What is the March number?'],
      )
    },
    { not: 'it counts answers of live models, which no test here asks' },
  ],
  'asks-the-person-in-words': [
    (played) => {
      assert.deepEqual(wordsSaid(played).slice(0, 2), ['Which printer do we use, Mia?', 'Thanks.'])
      assert.equal(facts(played.place, 'question.asked').length, 0)
      const [first] = facts(played.place, 'turn.finished')
      const types = played.place.events.filter(({ seq }) => seq <= Number(first?.['seen'] ?? 0)).map(({ type }) => type)
      assert.ok(!types.includes('prompt.noted'), 'no push after a question')
    },
  ],
  'answered-in-chat-instead': [
    (played) => {
      assert.equal(facts(played.place, 'question.cancelled').length, 1)
      assert.equal(played.questionsInInbox, 0)
      resultsInOrder(played, 'q1 is with a person', 'the big one', 'Thanks, the big one it is.')
    },
  ],
  'two-delegate-for-ever': [
    (played) => {
      const all = [played.place, ...played.others].flatMap((dialog) => facts(dialog, 'tool.returned').map(({ output }) => String(output)))
      assert.equal(all.filter((text) => text.includes('levels deep')).length, 1)
      assert.equal(played.others.length, 8)
      ends(played)
    },
  ],
  'asks-again-while-waiting': [
    (played) => {
      const made = facts(played.place, 'tellask.made').map(({ tellask }) => tellask)
      assert.equal(made.length, 2)
      assert.deepEqual(
        replies(played).map(({ tellask }) => tellask),
        made,
      )
      assert.equal(played.others.length, 1, 'one session')
    },
  ],
  'two-ask-backs': [
    (played) => {
      const [side] = played.others
      assert.ok(side)
      assert.deepEqual(
        facts(side, 'reply.received').map(({ text }) => text),
        ['Europe.', '2026.'],
      )
    },
  ],
  'fbr-mind-calls': [
    (played) => {
      const texts = replies(played).map(({ text }) => String(text))
      assert.equal(texts.length, 3)
      const broken = texts.filter((text) => text.startsWith('【FBR-仅推理】') && text.includes('search') && text.includes('I think so.'))
      const plain = texts.filter((text) => text === '【FBR-直接回复】\nYes, it is so.')
      assert.equal(broken.length + plain.length, 3)
      if (!played.isKilled) assert.equal(broken.length, 1)
      expectRuns(played, 'search', [])
    },
  ],
  'overflow-anthropic-with-output': [
    (played) => {
      const bounds = played.bodies.map((body) => Number(body['max_tokens'] ?? body['max_output_tokens'] ?? body['max_completion_tokens']))
      assert.ok((bounds.at(-1) ?? Infinity) <= 20_785)
      assert.deepEqual(causes(played, 'course.started'), ['first'])
      assert.deepEqual(wordsSaid(played), ['ok'])
    },
  ],
  'overflow-llamacpp': [forcedCourse],
  'overflow-lmstudio-string': [
    (played) => {
      assert.deepEqual(
        facts(played.place, 'generation.failed').map(({ details }) => details),
        [{ window: 4_096 }],
      )
      assert.deepEqual(
        facts(played.place, 'turn.failed').map(({ code }) => code),
        ['context_full'],
      )
      assert.match(JSON.stringify(played.place.detail.failure), /window/)
    },
  ],
  'overflow-silent-ollama': [
    (played) => {
      assert.ok(causes(played, 'course.started').includes('forced'))
      ends(played)
    },
  ],
  'rate-limit-that-never-fits': [
    (played) => {
      assert.deepEqual(
        facts(played.place, 'generation.failed').map(({ details }) => details),
        [{ window: 6_000 }],
      )
      assert.equal(
        new Set(played.asked).size,
        played.asked.length - (played.isKilled ? played.asked.length - new Set(played.asked).size : 0),
      )
    },
  ],
  'user-after-tool-refused': [
    (played) => {
      assert.ok(lastAsked(played).includes('(continued)'))
      assert.ok(wordsSaid(played).includes('ok'))
    },
  ],
  'system-role-refused': [
    (played) => {
      assert.ok(played.asked.some((asked) => asked.includes('"role":"system"')))
      assert.ok(!lastAsked(played).includes('"role":"system"'))
      assert.deepEqual(causes(played, 'epoch.started'), ['course', 'model'])
      assert.equal(wordsSaid(played).at(-1), 'ok')
    },
  ],
}
