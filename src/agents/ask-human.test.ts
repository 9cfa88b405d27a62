import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QuestionItem } from '../dialogs/rules/question.ts'
import { askHumanTool, readQuestion } from './ask-human.ts'

type Schema = {
  type?: string
  enum?: string[]
  description?: string
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
}
const part = (askHumanTool.inputSchema as Schema).properties?.['items']?.items?.properties ?? {}

const read = (...items: object[]): readonly QuestionItem[] | string => {
  const result = readQuestion({ tellaskContent: 'Before I book.', items })
  return 'fault' in result ? result.fault : result.ask.items
}

const faultIn = (item: object): string => {
  const result = read(item)
  return typeof result === 'string' ? result : ''
}

test('askHuman: a model reads every kind and its fields in one flat object', () => {
  assert.deepEqual(Object.keys(part), ['id', 'text', 'kind', 'options', 'min', 'max', 'placeholder', 'integer', 'unit'])
  assert.deepEqual(part['kind']?.enum, ['choice', 'choices', 'text', 'number', 'date'])
  assert.deepEqual(part['min']?.type, ['number', 'string'])
  assert.match(part['min']?.description ?? '', /number: the smallest number that fits\. date: the first date that fits, YYYY-MM-DD\./)
  assert.match(part['options']?.description ?? '', /^choice, choices: 2 to 50 options\.$/)
})

test('askHuman: each kind becomes a question with only its own fields', () => {
  const nulls = { options: null, min: null, max: null, unit: null }
  assert.deepEqual(
    read(
      { ...nulls, id: 'a', text: 'How many?', kind: 'number', min: '1', max: 9, integer: true, unit: 'kg', placeholder: 'x' },
      { ...nulls, id: 'b', text: 'When?', kind: 'date', min: '2026-12-01', max: '' },
      { ...nulls, id: 'c', text: 'Which?', kind: 'choices', options: ['x', { value: 'y', label: 'Y' }], max: 2 },
      { ...nulls, id: 'd', text: 'Why?', kind: 'text', options: ['x'] },
    ),
    [
      { id: 'a', text: 'How many?', kind: 'number', min: 1, max: 9, integer: true, unit: 'kg' },
      { id: 'b', text: 'When?', kind: 'date', min: '2026-12-01' },
      {
        id: 'c',
        text: 'Which?',
        kind: 'choices',
        options: [
          { value: 'x', label: 'x' },
          { value: 'y', label: 'Y' },
        ],
        max: 2,
      },
      { id: 'd', text: 'Why?', kind: 'text' },
    ],
  )
})

test('askHuman: the model reads what is wrong with its question', () => {
  const item = { id: 'a', text: 'When?' }
  assert.match(faultIn({ ...item, kind: 'date', min: 20261201 }), /min: .*string/)
  assert.match(faultIn({ ...item, kind: 'date', min: 'tomorrow' }), /not a date such as 2026-12-24/)
  assert.match(faultIn({ ...item, kind: 'number', min: 5, max: 1 }), /min above its max/)
  assert.match(faultIn({ ...item, kind: 'choices', options: ['one'] }), /1 options/)
  assert.match(faultIn({ ...item, kind: 'colour' }), /kind/)
})
