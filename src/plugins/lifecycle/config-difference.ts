import { isDeepStrictEqual } from 'node:util'

/** One setting where what a plugin wants unasked and what parley.yaml says are not the same. */
export type Difference =
  /** In the defaults and not in the file: the default counts. */
  | { setting: string; kind: 'default'; value: unknown; isNew: boolean }
  /** In both, and different: the file counts. */
  | { setting: string; kind: 'yours'; value: unknown; unasked: unknown }
  /** Only in the file: the plugin does not mention it. */
  | { setting: string; kind: 'unknown'; value: unknown }

/** `before` are the defaults of the version that is there now, where that can still be told. */
export function configDifference(
  defaults: Record<string, unknown>,
  written: Record<string, unknown>,
  before: Record<string, unknown> | null,
): Difference[] {
  const settings = [...new Set([...Object.keys(defaults), ...Object.keys(written)])]
  return settings.flatMap((setting): Difference[] => {
    const isKnown = Object.hasOwn(defaults, setting)
    const isWritten = Object.hasOwn(written, setting)
    if (!isKnown) return [{ setting, kind: 'unknown', value: written[setting] }]
    if (!isWritten)
      return [
        {
          setting,
          kind: 'default',
          value: defaults[setting],
          isNew: before !== null && !isDeepStrictEqual(before[setting], defaults[setting]),
        },
      ]
    if (isDeepStrictEqual(defaults[setting], written[setting])) return []
    return [{ setting, kind: 'yours', value: written[setting], unasked: defaults[setting] }]
  })
}
