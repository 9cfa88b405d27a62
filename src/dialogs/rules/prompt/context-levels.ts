import { dialogLimits } from '../dialog-state.ts'

export const contextLimits = {
  outputTokens: 32_000,
  cautionTokens: 100_000,
  /** Generations between two caution notes. */
  cautionCadence: 10,
  compactionsPerCourse: 2,
  /** Notes before a forced course; fewer in a window up to `smallWindowTokens`. */
  countdown: 5,
  smallCountdown: 2,
  smallWindowTokens: 32_768,
  bytesPerToken: 3,
  trailTokens: 2_000,
} as const

/** Sizes that follow from the window of a model, in tokens. */
export type ContextRoom = {
  /** Kept free for the output. */
  outputTokens: number
  /** The most a prompt may have. */
  usableTokens: number
  cautionTokens: number
  compactTokens: number
  /** Compaction shortens results until the prompt has no more than this. */
  compactedTokens: number
  criticalTokens: number
  countdown: number
  /** Bounds of what a course begins with. */
  reminderTokens: number
  snapshotTokens: number
  requestTokens: number
  firstBatchTokens: number
}

/** `maxOutputTokens` is null where the provider names none. */
export type WindowTokens = { windowTokens: number; inputLimitTokens: number; maxOutputTokens: number | null }

const part = (tokens: number, percent: number): number => Math.floor((tokens * percent) / 100)

export function measureRoom({ windowTokens, inputLimitTokens, maxOutputTokens }: WindowTokens): ContextRoom {
  const outputTokens = Math.min(maxOutputTokens ?? Infinity, part(windowTokens, 20), contextLimits.outputTokens)
  const usableTokens = Math.min(windowTokens - outputTokens, inputLimitTokens)
  const isSmall = windowTokens <= contextLimits.smallWindowTokens
  return {
    outputTokens,
    usableTokens,
    cautionTokens: Math.min(contextLimits.cautionTokens, part(usableTokens, 60)),
    compactTokens: part(usableTokens, 75),
    compactedTokens: part(usableTokens, 50),
    criticalTokens: part(usableTokens, 90),
    countdown: isSmall ? contextLimits.smallCountdown : contextLimits.countdown,
    reminderTokens: part(usableTokens, 10),
    snapshotTokens: part(usableTokens, 25),
    requestTokens: part(usableTokens, 20),
    firstBatchTokens: part(usableTokens, 60),
  }
}

export const estimateTokens = (bytes: number): number => Math.ceil(bytes / contextLimits.bytesPerToken)

/** The next prompt: the provider's count of the last one and the bytes added since, or all bytes where there is no count. */
export const estimatePrompt = (last: { promptTokens: number; addedBytes: number } | null, allBytes: number): number =>
  last === null ? estimateTokens(allBytes) : last.promptTokens + estimateTokens(last.addedBytes)

export type ContextLevel = 'normal' | 'caution' | 'critical' | 'full'

/** `full` is not sent. */
export function findLevel(promptTokens: number, room: ContextRoom): ContextLevel {
  if (promptTokens > room.usableTokens) return 'full'
  if (promptTokens >= room.criticalTokens) return 'critical'
  return promptTokens >= room.cautionTokens ? 'caution' : 'normal'
}

export const mayCompact = (promptTokens: number, { compactTokens }: ContextRoom, compactions: number): boolean =>
  promptTokens >= compactTokens && compactions < contextLimits.compactionsPerCourse

export type ReminderFault = 'too-many' | 'too-long' | 'too-large-together'

/** The reason not to add a reminder. A dialog that has more than the limits allow keeps them. */
export function checkReminder(reminders: readonly string[], added: string, room: ContextRoom): ReminderFault | null {
  if (reminders.length >= dialogLimits.reminders) return 'too-many'
  if (added.length > dialogLimits.reminderChars) return 'too-long'
  return measureReminders([...reminders, added]) > room.reminderTokens ? 'too-large-together' : null
}

/** The reason not to replace the reminder at this index. One that becomes shorter is always taken. */
export function checkReplacement(reminders: readonly string[], at: number, text: string, room: ContextRoom): ReminderFault | null {
  if (text.length > dialogLimits.reminderChars) return 'too-long'
  const after = measureReminders(reminders.with(at, text))
  return after > room.reminderTokens && after > measureReminders(reminders) ? 'too-large-together' : null
}

const measureReminders = (reminders: readonly string[]): number =>
  estimateTokens(reminders.reduce((sum, text) => sum + Buffer.byteLength(text), 0))
