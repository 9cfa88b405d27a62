import type { Drop } from './normalise-blocks.ts'
import { type MessagePresentationChart, type MessagePresentationTable, chartTypes } from './presentation.ts'
import { type Fields, toLine, getList, getNumber, readChoice, own } from './untrusted.ts'
import { isRecord } from '../../shapes/record.ts'

/** Data is taken whole or not at all: a table with one wrong cell would say something false. */
export function normaliseTable(input: Fields, drop: Drop, at: string): MessagePresentationTable | undefined {
  const headers = all(getList(own(input, 'headers')), toLine)
  if (!headers || headers.length === 0) return drop(at, 'its headers are not all texts')
  const rows = all(getList(own(input, 'rows')), (row) => {
    const cells = all(getList(row), getCell)
    return cells?.length === headers.length ? cells : undefined
  })
  if (!rows || rows.length === 0) return drop(at, 'its rows do not all have one text or number for each header')
  const caption = toLine(own(input, 'caption'))
  return { type: 'table', ...(caption !== undefined && { caption }), headers, rows }
}

export function normaliseChart(input: Fields, drop: Drop, at: string): MessagePresentationChart | undefined {
  const chartType = readChoice(own(input, 'chartType'), chartTypes)
  if (!chartType) return drop(at, `its chartType is none of ${chartTypes.join(', ')}`)
  const data = own(input, 'segments') === undefined ? getSeries(input) : splitSegments(input)
  if (!data) return drop(at, 'its categories and series do not fit together')
  const [title, xLabel, yLabel] = [toLine(own(input, 'title')), toLine(own(input, 'xLabel')), toLine(own(input, 'yLabel'))]
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

function getSeries(input: Fields): Data | undefined {
  const categories = all(getList(own(input, 'categories')), toLine)
  if (!categories || categories.length === 0) return undefined
  const series = all(getList(own(input, 'series')), (one) => {
    if (!isRecord(one)) return undefined
    const values = all(getList(own(one, 'values')), getNumber)
    return values?.length === categories.length ? { name: toLine(own(one, 'name')) ?? '', values } : undefined
  })
  return series && series.length > 0 ? { categories, series } : undefined
}

/** A pie may be written slice by slice. */
function splitSegments(input: Fields): Data | undefined {
  const segments = all(getList(own(input, 'segments')), (one) => {
    const label = isRecord(one) ? toLine(own(one, 'label')) : undefined
    const value = isRecord(one) ? getNumber(own(one, 'value')) : undefined
    return label === undefined || value === undefined ? undefined : { label, value }
  })
  if (!segments || segments.length === 0) return undefined
  return { categories: segments.map(({ label }) => label), series: [{ name: '', values: segments.map(({ value }) => value) }] }
}

/** An empty cell is a cell. */
const getCell = (input: unknown): string | number | undefined => (typeof input === 'string' ? (toLine(input) ?? '') : getNumber(input))

function all<From, To>(from: readonly From[], read: (one: From) => To | undefined): To[] | undefined {
  const entries = from.map(read)
  return entries.every((one) => one !== undefined) ? entries : undefined
}
