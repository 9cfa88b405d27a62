import fc from 'fast-check'
import type { MessagePresentationAction, MessagePresentationBlock } from '../presentation.ts'

const listNames = (names: object): string[] => Object.keys(names)
const actionTypes = listNames({
  callback: 1,
  url: 1,
  command: 1,
  question: 1,
  approval: 1,
  'copy-text': 1,
  plugin: 1,
} satisfies Record<MessagePresentationAction['type'], 1>)
const blockTypes = listNames({
  text: 1,
  context: 1,
  divider: 1,
  buttons: 1,
  select: 1,
  image: 1,
  table: 1,
  chart: 1,
} satisfies Record<MessagePresentationBlock['type'], 1>)

/** JSON that is nearly a message: the right fields with right and wrong values, as a careless model would write it. */
const word = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constantFrom('Yes', '', ' ', '\ud800', 'a\r\nb'))
const odd = fc.oneof(fc.constant(undefined), fc.constant(null), fc.integer(), fc.boolean(), fc.constant([]), fc.constant({}))
const maybe = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: odd })
const url = fc.constantFrom('https://example.org/x', 'http://localhost:1/', 'javascript:1', 'mailto:a@b.c', 'x y')

const action = fc.record(
  {
    type: maybe(fc.constantFrom(...actionTypes, 'web-app')),
    value: maybe(word),
    url: maybe(url),
    command: maybe(word),
    questionId: maybe(word),
    optionValue: maybe(word),
    approvalId: maybe(word),
    approvalKind: maybe(fc.constantFrom('exec', 'plugin')),
    decision: maybe(fc.constantFrom('allow-once', 'allow-always', 'deny')),
    text: maybe(word),
  },
  { requiredKeys: ['type'] },
)

const control = fc.record(
  {
    label: maybe(word),
    text: maybe(word),
    value: maybe(word),
    callback_data: maybe(word),
    url: maybe(url),
    style: maybe(fc.constantFrom('primary', 'danger', 'odd')),
    action: maybe(action),
    priority: maybe(fc.integer({ min: -2, max: 9 })),
    disabled: maybe(fc.boolean()),
    reusable: maybe(fc.boolean()),
  },
  { requiredKeys: ['label'] },
)

const block = fc.record(
  {
    type: maybe(fc.constantFrom(...blockTypes, 'section')),
    text: maybe(word),
    buttons: maybe(fc.array(maybe(control), { maxLength: 4 })),
    placeholder: maybe(word),
    options: maybe(fc.array(maybe(control), { maxLength: 4 })),
    url: maybe(url),
    alt: maybe(word),
    caption: maybe(word),
    headers: maybe(fc.array(maybe(word), { maxLength: 2 })),
    rows: maybe(fc.array(maybe(fc.array(maybe(fc.oneof(word, fc.double())), { maxLength: 2 })), { maxLength: 3 })),
    chartType: maybe(fc.constantFrom('pie', 'bar', 'area', 'line')),
    title: maybe(word),
    categories: maybe(fc.array(maybe(word), { maxLength: 2 })),
    series: maybe(
      fc.array(fc.record({ name: maybe(word), values: maybe(fc.array(maybe(fc.double()), { maxLength: 2 })) }), { maxLength: 2 }),
    ),
  },
  { requiredKeys: ['type'] },
)

const presentation = fc.record(
  { tone: maybe(fc.constantFrom('info', 'danger', 'pink')), title: maybe(word), blocks: maybe(fc.array(maybe(block), { maxLength: 5 })) },
  { requiredKeys: ['blocks'] },
)

export const looseMessages: fc.Arbitrary<unknown> = fc.record(
  {
    text: maybe(word),
    presentation: maybe(presentation),
    interactive: maybe(presentation),
    presentationTextMode: maybe(fc.constant('fallback')),
    delivery: maybe(
      fc.record({ pin: maybe(fc.oneof(fc.boolean(), fc.record({ enabled: maybe(fc.boolean()), notify: maybe(fc.boolean()) }))) }),
    ),
    send: maybe(fc.record({ replyTo: maybe(word), silent: maybe(fc.boolean()) })),
  },
  { requiredKeys: [] },
)
