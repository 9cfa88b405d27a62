import { UsageError } from './fault.ts'

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** `2027-01-31` (its last moment, here), `2027-01-31T12:00`, or from now: `12h`, `7d`, `2w`. */
export function readUntil(text: string, now = Date.now()): number {
  const [, amount = '', unit = ''] = /^(\d{1,4})([mhdw])$/.exec(text.trim()) ?? []
  const [, day = ''] = /^(\d{4}-\d{2}-\d{2})$/.exec(text.trim()) ?? []
  const at = unit !== '' ? now + Number(amount) * (unitMs[unit] ?? 0) : Date.parse(day === '' ? text : `${day}T23:59:59`)
  if (!Number.isFinite(at) || (unit === '' && !/^\d{4}-/.test(text.trim())))
    throw new UsageError(`--until ${text}: it is neither a date nor a time span.`, 'Such as: --until 2027-01-31, --until 7d, --until 12h')
  if (at <= now) throw new UsageError(`--until ${text}: that time has passed.`, 'Such as: --until 7d')
  return at
}
