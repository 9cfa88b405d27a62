/**
 * The rows of a page up to `maxBytes`, at least one. Stops the iterator at the first row that does not fit, so that a store
 * never holds more than the page and one row.
 */
export function pageWithin<Row>(rows: Iterable<Row>, maxBytes: number, measureSize: (row: Row) => number): Row[] {
  const page: Row[] = []
  let bytes = 0
  for (const row of rows) {
    bytes += measureSize(row)
    if (page.length > 0 && bytes > maxBytes) break
    page.push(row)
  }
  return page
}
