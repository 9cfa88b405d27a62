/** Fields with a time, in every shape of the API and in the data of events. */
const timeName = /^(at|until|.+At|.+Until)$/
/** 2001 in milliseconds: a smaller number is a count or a length. */
const earliest = 1_000_000_000_000
/** The last moment that a date can name. */
const latest = 8_640_000_000_000_000

/** For `JSON.stringify`: times as ISO 8601 in UTC, which `date`, `jq` and every language read. */
export function readableTimes(name: string, value: unknown): unknown {
  return typeof value === 'number' && value >= earliest && value <= latest && timeName.test(name) ? new Date(value).toISOString() : value
}
