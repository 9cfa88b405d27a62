import fc from 'fast-check'
import type { ChannelPresentationCapabilities } from '../../message/channel-capabilities.ts'
import { textEncodings } from '../../message/channel-capabilities.ts'
import { mediaKinds } from '../../message/media.ts'
import { normaliseMessage } from '../../message/normalise.ts'
import { buttonStyles, type MessagePresentationBlock, tones } from '../../message/presentation.ts'
import type { ReplyPayload } from '../../message/reply-payload.ts'

const word = fc.oneof(
  fc.constantFrom(
    'Yes',
    'two words',
    '你好。世界',
    'שלום עולם',
    '👨‍👩‍👧‍👦 us',
    '🇩🇪🇫🇷',
    'e\u0301',
    '<b>&"',
    '**bold**',
    'a_b_c',
    '`x`',
    '- item',
    '# head',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
)
const text = fc
  .array(fc.oneof(word, fc.constantFrom(' ', '\n', '\n\n', '. ', '```\n', '\n```\n')), { minLength: 1, maxLength: 25 })
  .map((all) => all.join(''))
const url = fc.constantFrom(
  'https://example.org/a',
  'http://localhost:8080/',
  `https://example.org/${'x'.repeat(60)}`,
  'mailto:a@example.org',
)
const value = fc.oneof(word, fc.constant('v'.repeat(70)))

const button = fc.record(
  {
    label: word,
    value,
    url,
    style: fc.constantFrom(...buttonStyles),
    action: fc.oneof(
      fc.record({ type: fc.constant('command'), command: word }),
      fc.record({ type: fc.constant('copy-text'), text }),
      fc.record({ type: fc.constant('callback'), value }),
    ),
    priority: fc.integer({ min: -1, max: 3 }),
    disabled: fc.boolean(),
    confirm: fc.string({ minLength: 1, maxLength: 400 }),
  },
  { requiredKeys: ['label', 'value'] },
)

const blocks = {
  text: fc.record({ type: fc.constant('text'), text }),
  context: fc.record({ type: fc.constant('context'), text }),
  divider: fc.record({ type: fc.constant('divider') }),
  buttons: fc.record({ type: fc.constant('buttons'), buttons: fc.array(button, { minLength: 1, maxLength: 7 }) }),
  select: fc.record({
    type: fc.constant('select'),
    placeholder: word,
    options: fc.array(fc.record({ label: word, value }), { minLength: 1, maxLength: 7 }),
  }),
  image: fc.record({ type: fc.constant('image'), url: fc.constant('https://example.org/i.png'), alt: word }),
  table: fc.record({
    type: fc.constant('table'),
    caption: word,
    headers: fc.tuple(word, word),
    rows: fc.array(fc.tuple(word, fc.integer()), { minLength: 1, maxLength: 4 }),
  }),
  chart: fc.record({
    type: fc.constant('chart'),
    chartType: fc.constantFrom('pie', 'bar'),
    title: word,
    categories: fc.tuple(word, word),
    series: fc.array(fc.record({ name: word, values: fc.tuple(fc.integer(), fc.integer()) }), { minLength: 1, maxLength: 2 }),
  }),
} satisfies Record<MessagePresentationBlock['type'], fc.Arbitrary<unknown>>
const block = fc.oneof(...Object.values(blocks))

const medium = fc.record(
  {
    url: fc.constantFrom(
      'https://example.org/a.png',
      'https://example.org/data.csv',
      'http://localhost/a.mp3',
      `https://example.org/${'x'.repeat(60)}.pdf`,
      'file:///project/a.png',
    ),
    kind: fc.constantFrom(...mediaKinds),
    name: word,
    caption: text,
  },
  { requiredKeys: ['url'] },
)

/** As the server writes them: a tap on a button answers a question. */
const asQuestion = ({ presentation, ...message }: ReplyPayload): ReplyPayload => ({
  ...message,
  ...(presentation && {
    presentation: {
      ...presentation,
      blocks: presentation.blocks.map((one) =>
        one.type === 'buttons'
          ? {
              ...one,
              buttons: one.buttons.map((each) =>
                each.action?.type === 'callback'
                  ? { ...each, action: { type: 'question' as const, questionId: each.action.value, optionValue: each.action.value } }
                  : each,
              ),
            }
          : one,
      ),
    },
  }),
})

const writtenMessage: fc.Arbitrary<ReplyPayload> = fc
  .record(
    {
      text,
      media: fc.array(medium, { minLength: 1, maxLength: 3 }),
      presentation: fc.record(
        { tone: fc.constantFrom(...tones), title: word, blocks: fc.array(block, { maxLength: 6 }) },
        { requiredKeys: ['blocks'] },
      ),
    },
    { requiredKeys: [] },
  )
  .map((given) => normaliseMessage(given, { mayUseFiles: true }))
  .filter((taken) => 'message' in taken)
  .map((taken) => taken.message)

/** Messages that a person or the server could have written, with everything in them that is hard to show. */
export const anyMessage: fc.Arbitrary<ReplyPayload> = fc.oneof(writtenMessage, writtenMessage.map(asQuestion))

const few = fc.integer({ min: 1, max: 6 })
const noUndefined = <Fields extends object>(fields: Fields): Fields => JSON.parse(JSON.stringify(fields)) as Fields

/** Sheets of channels that may never exist. Small enough to hurt, large enough for the largest grapheme above. */
export const anyCapabilities: fc.Arbitrary<ChannelPresentationCapabilities> = fc
  .record(
    {
      supported: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
      buttons: fc.boolean(),
      selects: fc.boolean(),
      selectsAsButtons: fc.boolean(),
      context: fc.boolean(),
      divider: fc.boolean(),
      tones: fc.subarray([...tones]),
      images: fc.boolean(),
      tables: fc.boolean(),
      charts: fc.boolean(),
      media: fc.subarray([...mediaKinds]),
      limits: fc.record(
        {
          text: fc.record(
            {
              maxLength: fc.integer({ min: 60, max: 400 }),
              maxBlockLength: fc.integer({ min: 60, max: 400 }),
              maxBlocks: fc.integer({ min: 2, max: 8 }),
              maxTitleLength: fc.integer({ min: 5, max: 60 }),
              encoding: fc.constantFrom(...textEncodings),
              bodyOfControls: fc.constant('Choose:'),
            },
            { requiredKeys: [] },
          ),
          actions: fc.record(
            {
              maxActions: few,
              maxActionsPerRow: few,
              maxRows: few,
              rowWidth: fc.integer({ min: 5, max: 40 }),
              maxLabelLength: fc.integer({ min: 4, max: 40 }),
              maxValueBytes: fc.integer({ min: 4, max: 64 }),
              maxTotalBytes: fc.integer({ min: 50, max: 600 }),
              styles: fc.subarray([...buttonStyles]),
              supportsDisabled: fc.boolean(),
              supportsCopyText: fc.boolean(),
              maxCopyTextLength: fc.integer({ min: 5, max: 60 }),
              maxUrlLength: fc.integer({ min: 20, max: 60 }),
              publicUrlsOnly: fc.boolean(),
            },
            { requiredKeys: [] },
          ),
          selects: fc.record(
            {
              maxOptions: few,
              maxLabelLength: fc.integer({ min: 4, max: 40 }),
              maxValueBytes: fc.integer({ min: 4, max: 64 }),
              maxPlaceholderLength: fc.integer({ min: 4, max: 20 }),
            },
            { requiredKeys: [] },
          ),
          media: fc.record(
            {
              separate: fc.boolean(),
              maxCaptionLength: fc.integer({ min: 5, max: 100 }),
              maxUrlLength: fc.integer({ min: 20, max: 60 }),
              publicUrlsOnly: fc.boolean(),
              uploads: fc.boolean(),
              endings: fc.constant({ image: ['png'], audio: ['mp3'] }),
              endingsByAddress: fc.constant({ file: ['pdf'] }),
            },
            { requiredKeys: [] },
          ),
          images: fc.record({ separate: fc.boolean(), maxAltLength: fc.integer({ min: 5, max: 60 }) }, { requiredKeys: [] }),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ['supported'] },
  )
  .map(noUndefined)
