import assert from 'node:assert/strict'
import { statusMarkers } from '../../../src/dialogs/rules/prompt/blocks.ts'
import type { ReplyStatus } from '../../../src/dialogs/rules/prompt/prompt-items.ts'
import type { Played, PlayedDialog } from './play.ts'

type Data = Record<string, unknown>

/** The data of all events of a type, in order. */
export const facts = ({ events }: PlayedDialog, type: string): Data[] =>
  events.filter((event) => event.type === type).map(({ data }) => data as Data)

/** Words of the agent in the dialog of the line. */
export const wordsSaid = ({ place }: Played): string[] =>
  facts(place, 'message.said')
    .filter(({ turn }) => turn !== null)
    .map(({ text }) => text as string)

export const toolNames = ({ place }: Played): string[] => facts(place, 'tool.called').map(({ name }) => name as string)

/** Outputs of the calls of a tool, in the order of the calls. */
export const outputs = ({ place }: Played, tool: string): string[] => {
  const returned = new Map(facts(place, 'tool.returned').map(({ call, output }) => [call, output]))
  return facts(place, 'tool.called')
    .filter(({ name }) => name === tool)
    .map(({ call }) => {
      const output = returned.get(call)
      return typeof output === 'string' ? output : JSON.stringify(output)
    })
}

/** Replies to the requests that the caller made, as the caller received them. */
export const replies = ({ caller }: Played): Data[] => facts(caller, 'reply.received')

export const countNotes = ({ place }: Played, kind: string): number =>
  facts(place, 'prompt.noted')
    .flatMap(({ notes }) => notes as { kind: string }[])
    .filter((note) => note.kind === kind).length

export function expectReply(played: Played, status: ReplyStatus, text: string): void {
  assert.deepEqual(
    replies(played).map((reply) => [reply['status'], reply['text']]),
    [[status, `${statusMarkers[status]}\n${text}`]],
  )
}

export const expectNudges = (played: Played, count: number): void => assert.equal(countNotes(played, 'reply-nudge'), count, 'nudges')

/** Courses and epochs that were laid out, by their cause. */
export const causes = ({ place }: Played, type: 'course.started' | 'epoch.started'): unknown[] => facts(place, type).map(({ why }) => why)

/** The last list that the model of the line was asked with. */
export const lastAsked = ({ asked }: Played): string => asked.at(-1) ?? ''

/** Runs of a tool outside of the server: once, or again under the same call after a kill. Other lines may use the tool meanwhile. */
export function expectRuns({ runs, isKilled, isAlone }: Played, tool: string, inputs: readonly object[]): void {
  const seen = runs.filter(({ name }) => name === tool).map(({ input }) => JSON.stringify(input))
  const wanted = inputs.map((input) => JSON.stringify(input))
  for (const input of wanted) assert.ok(seen.includes(input), `${tool} did not run`)
  if (isAlone && !isKilled) assert.deepEqual(seen.toSorted(), wanted.toSorted())
}

/** Holds for every line, killed or not. */
export function checkEndState(played: Played): void {
  const { caller, place, others } = played
  for (const dialog of new Set([caller, place, ...others])) {
    assert.deepEqual(
      dialog.events.map(({ seq }) => seq),
      dialog.events.map((_, at) => at + 1),
      'numbers without gaps',
    )
    const called = facts(dialog, 'tool.called').map(({ call }) => call)
    assert.equal(new Set(called).size, called.length, 'no call twice')
    const returned = facts(dialog, 'tool.returned').map(({ call }) => call)
    assert.equal(new Set(returned).size, returned.length, 'no result twice')
    const byTellask = new Set(facts(dialog, 'tellask.made').map(({ call }) => call))
    const asked = new Set(facts(dialog, 'question.asked').map(({ call }) => call))
    for (const call of called) assert.ok(returned.includes(call) || byTellask.has(call) || asked.has(call), 'every call has a result')
    for (const type of ['reply.given', 'reply.received', 'tellask.received', 'tellask.made']) {
      const ids = facts(dialog, type).map(({ tellask }) => tellask)
      assert.equal(new Set(ids).size, ids.length, `no ${type} twice`)
    }
    const people = facts(dialog, 'message.said').filter(({ turn }) => turn === null)
    const texts = people.map(({ text }) => text)
    assert.equal(new Set(texts).size, texts.length, 'no message of a person twice')
    const turns = facts(dialog, 'turn.started').map(({ turn }) => turn)
    assert.equal(new Set(turns).size, turns.length, 'no turn twice')
    for (const turn of turns) {
      const spoken = facts(dialog, 'message.said').filter((said) => said['turn'] === turn)
      const generations = facts(dialog, 'generation.finished').filter((made) => made['turn'] === turn)
      assert.ok(spoken.length <= generations.length + 1, 'one message for a generation')
    }
  }
  if (caller !== place && place.detail.status === 'ready') assert.equal(replies(played).length, 1, 'exactly one reply')
  for (const asked of played.asked) {
    assert.ok(!asked.includes('"role":"assistant","content":""}'), 'no empty assistant message is sent')
    assert.ok(!asked.includes('"role":"assistant","content":[]'), 'no empty assistant message is sent')
  }
}
