/** Seconds below one minute, then minutes and seconds as a clock shows them. */
export function secondsText(ms: number, language: string): string {
  const seconds = Math.max(0, ms) / 1_000
  if (seconds >= 59.5) return `${Math.floor(Math.round(seconds) / 60)}:${String(Math.round(seconds) % 60).padStart(2, '0')}`
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: 'second',
    unitDisplay: 'narrow',
    maximumFractionDigits: seconds < 10 ? 1 : 0,
  })
    .formatToParts(seconds)
    .map(({ type, value }) => (type === 'unit' ? `\u00A0${value.trim()}` : type === 'literal' ? '' : value))
    .join('')
}
