import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showReplyTool } from '../../agents/show-reply.ts'
import { openParley, type OpenParley } from '../../app/library.ts'
import type { MessagePresentation } from '../../chats/message/presentation.ts'
import { ParleyError } from '../../errors.ts'
import type { AgentOutput, GenerationInput, Tool } from '../../ports/agent-runtime.ts'
import type { Caller } from '../../shapes/parley.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { countedIds } from '../../testing/counted-ids.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { teamOf } from '../../testing/team-of.ts'
import type { DialogEvent } from '../rules/dialog-events.ts'

const you: Caller = { by: { kind: 'human', name: 'owner', role: 'owner' }, via: 'test' }

const disk: MessagePresentation = {
  tone: 'warning',
  title: 'Disk is nearly full',
  blocks: [
    { type: 'text', text: '91 %' },
    {
      type: 'buttons',
      buttons: [
        { label: 'Clean up', value: 'clean' },
        { label: 'Measure', value: 'measure', reusable: true },
        { label: 'Off', value: 'off', disabled: true },
      ],
    },
  ],
}

type Said = Extract<DialogEvent, { type: 'message.said' }>['data']

async function play(
  reply: (input: GenerationInput) => Iterable<AgentOutput>,
  tools: readonly Tool[],
  act: (scene: {
    parley: OpenParley
    dialog: string
    said(): Promise<Said[]>
    events(): Promise<DialogEvent[]>
    settle(): Promise<void>
  }) => Promise<void>,
): Promise<void> {
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const team = teamOf(async function* (input) {
    yield* reply(input)
  }, tools)
  const parley = openParley({ store, team, clock, ids: countedIds() })
  const settle = (): Promise<void> => clock.advance(100)
  try {
    const { id: dialog } = await parley.dialogs.open({ text: 'check the disk' }, you)
    await settle()
    const events = async (): Promise<DialogEvent[]> => (await store.read(dialog, 0, 500)) as unknown as DialogEvent[]
    const said = async (): Promise<Said[]> => (await events()).flatMap((event) => (event.type === 'message.said' ? [event.data] : []))
    await act({ parley, dialog, said, events, settle })
  } finally {
    await parley.close(1_000)
    await store.close()
  }
}

const heard = (input: GenerationInput): string[] => input.context.flatMap((item) => (item.kind === 'human' ? [item.text] : []))

const onFirst = (...outputs: AgentOutput[]) =>
  function* (input: GenerationInput): Generator<AgentOutput> {
    if (heard(input).length === 1) yield* outputs
    else yield { type: 'text', text: `Heard: ${heard(input).at(-1)}` }
  }

const isCode = (code: string) => (error: unknown) => error instanceof ParleyError && error.code === code

test('a presentation is stored with its message, whose text is the plain reading', async () => {
  const reply = onFirst({ type: 'text', text: 'Look at this.' }, { type: 'presentation', presentation: disk })
  await play(reply, [], async ({ said }) => {
    const message = (await said()).at(-1)
    assert.deepEqual(message?.shown, { words: 'Look at this.', presentation: disk })
    assert.equal(message?.text, 'Look at this.\n\nDisk is nearly full\n\n91 %\n\n- Clean up\n- Measure\n- Off')
  })
})

test('a presentation alone is a reply; two of one generation are joined', async () => {
  const second: MessagePresentation = { title: 'Memory', blocks: [{ type: 'text', text: '12 %' }] }
  const reply = onFirst({ type: 'presentation', presentation: disk }, { type: 'presentation', presentation: second })
  await play(reply, [], async ({ said }) => {
    const shown = (await said()).at(-1)?.shown
    assert.equal(shown?.words, '')
    assert.equal(shown?.presentation.title, disk.title)
    assert.deepEqual(shown?.presentation.blocks.slice(2), [
      { type: 'text', text: 'Memory' },
      { type: 'text', text: '12 %' },
    ])
  })
})

test('a presentation that is not well formed, or decides for a person, fails the turn', async () => {
  const approval = { label: 'Yes', action: { type: 'approval', approvalId: 'q', approvalKind: 'exec', decision: 'allow-once' } } as const
  for (const blocks of [[{ type: 'buttons', buttons: [approval] }], [{ type: 'hologram' }]])
    await play(onFirst({ type: 'presentation', presentation: { blocks } as never }), [], async ({ events, said }) => {
      const failed = (await events()).find((event) => event.type === 'turn.failed')
      assert.equal(failed?.type === 'turn.failed' && failed.data.code, 'agent_failed')
      assert.equal((await said()).length, 1)
    })
})

test('a tap says label and value once; a reusable control stays, others and unknown ones are refused', async () => {
  await play(onFirst({ type: 'presentation', presentation: disk }), [], async ({ parley, dialog, said, settle }) => {
    const message = (await said()).at(-1)?.message ?? ''
    const tap = (value: string) => parley.dialogs.tap(dialog, { message, value }, you)
    await assert.rejects(tap('off'), isCode('control_unknown'))
    await assert.rejects(tap('other'), isCode('control_unknown'))
    await assert.rejects(parley.dialogs.tap(dialog, { message: 'msg_none', value: 'clean' }, you), isCode('control_unknown'))
    await tap('measure')
    await settle()
    await tap('clean')
    await settle()
    await assert.rejects(tap('clean'), isCode('control_used'))
    await tap('measure')
    await settle()
    const texts = (await said()).slice(2).map(({ text }) => text)
    assert.deepEqual(texts, [
      'Measure\n[button: measure]',
      'Heard: Measure\n[button: measure]',
      'Clean up\n[button: clean]',
      'Heard: Clean up\n[button: clean]',
      'Measure\n[button: measure]',
      'Heard: Measure\n[button: measure]',
    ])
    assert.deepEqual((await said())[4]?.tap, { message, value: 'clean' })
  })
})

test('show_reply: a good call is part of the message and ends the turn', async () => {
  let generations = 0
  const reply = function* (input: GenerationInput): Generator<AgentOutput> {
    generations += 1
    yield* onFirst({ type: 'text', text: 'See below.' }, { type: 'call', call: 'c', name: 'show_reply', input: disk })(input)
  }
  await play(reply, [showReplyTool], async ({ said, events }) => {
    assert.deepEqual((await said()).at(-1)?.shown, { words: 'See below.', presentation: disk })
    assert.equal(generations, 1)
    const types = (await events()).slice(3).map(({ type }) => type)
    assert.deepEqual(types, ['turn.started', 'generation.finished', 'message.said', 'tool.called', 'tool.returned', 'turn.finished'])
  })
})

test('show_reply: a call that does not fit shows nothing, and its result says why', async () => {
  let generations = 0
  const reply = function* (): Generator<AgentOutput> {
    generations += 1
    if (generations === 1)
      yield {
        type: 'call',
        call: 'c',
        name: 'show_reply',
        input: { title: 'Go?', blocks: [{ type: 'buttons', buttons: [{ label: 'Go' }] }] },
      }
    else yield { type: 'text', text: 'Corrected.' }
  }
  await play(reply, [showReplyTool], async ({ said, events }) => {
    const returned = (await events()).find((event) => event.type === 'tool.returned')
    assert.match(returned?.type === 'tool.returned' ? String(returned.data.output) : '', /buttons\[0\]: it has no action/)
    assert.deepEqual(
      (await said()).slice(1).map(({ text, shown }) => [text, shown]),
      [['Corrected.', undefined]],
    )
  })
})
