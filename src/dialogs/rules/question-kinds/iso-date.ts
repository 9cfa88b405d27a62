/** The calendar day of a moment, in the time zone of this process. */
export function toIsoDate(at: number): string {
  const date = new Date(at)
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
