import type { Drop } from './normalise-blocks.ts'
import { type MessagePresentationChart, type MessagePresentationTable, chartTypes } from './presentation.ts'
import { type Fields, isFields, lineOf, listOf, numberOf, oneOf, own } from './untrusted.ts'

/** Data is taken whole or not at all: a table with one wrong cell would say something false. */
export function normaliseTable(input: Fields, drop: Drop, at: string): MessagePresentationTable | undefined {
  const headers = all(listOf(own(input, 'headers')), lineOf)
  if (!headers || headers.length === 0) return drop(at, 'its headers are not all texts')
  const rows = all(listOf(own(input, 'rows')), (row) => {
    const cells = all(listOf(row), cellOf)
    return cells?.length === headers.length ? cells : undefined
  })
  if (!rows || rows.length === 0) return drop(at, 'its rows do not all have one text or number for each header')
  const caption = lineOf(own(input, 'caption'))
  return { type: 'table', ...(caption !== undefined && { caption }), headers, rows }
}

export function normaliseChart(input: Fields, drop: Drop, at: string): MessagePresentationChart | undefined {
  const chartType = oneOf(own(input, 'chartType'), chartTypes)
  if (!chartType) return drop(at, `its chartType is none of ${chartTypes.join(', ')}`)
  const data = own(input, 'segments') === undefined ? seriesOf(input) : segmentsOf(input)
  if (!data) return drop(at, 'its categories and series do not fit together')
  const [title, xLabel, yLabel] = [lineOf(own(input, 'title')), lineOf(own(input, 'xLabel')), lineOf(own(input, 'yLabel'))]
  return {
    type: 'chart',
    chartType,
    ...(title !== undefined && { title }),
    ...(xLabel !== undefined && { xLabel }),
    ...(yLabel !== undefined && { yLabel }),
    ...data,
  }
}

type Data = Pick<MessagePresentationChart, 'categories' | 'series'>

function seriesOf(input: Fields): Data | undefined {
  const categories = all(listOf(own(input, 'categories')), lineOf)
  if (!categories || categories.length === 0) return undefined
  const series = all(listOf(own(input, 'series')), (one) => {
    if (!isFields(one)) return undefined
    const values = all(listOf(own(one, 'values')), numberOf)
    return values?.length === categories.length ? { name: lineOf(own(one, 'name')) ?? '', values } : undefined
  })
  return series && series.length > 0 ? { categories, series } : undefined
}

/** A pie may be written slice by slice. */
function segmentsOf(input: Fields): Data | undefined {
  const segments = all(listOf(own(input, 'segments')), (one) => {
    const label = isFields(one) ? lineOf(own(one, 'label')) : undefined
    const value = isFields(one) ? numberOf(own(one, 'value')) : undefined
    return label === undefined || value === undefined ? undefined : { label, value }
  })
  if (!segments || segments.length === 0) return undefined
  return { categories: segments.map(({ label }) => label), series: [{ name: '', values: segments.map(({ value }) => value) }] }
}

/** An empty cell is a cell. */
const cellOf = (input: unknown): string | number | undefined => (typeof input === 'string' ? (lineOf(input) ?? '') : numberOf(input))

function all<From, To>(from: readonly From[], read: (one: From) => To | undefined): To[] | undefined {
  const taken = from.map(read)
  return taken.every((one) => one !== undefined) ? taken : undefined
}
