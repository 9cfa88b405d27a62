import type { BuildView } from '../../../src/client/build-view.ts'
import type { PageBuildWords } from '../../../src/words/en/page-builds.ts'

/** The sentences below a build that ended early, and what is folded away. */
export type EndedWords = { title: string; sentence: string | null; details: string[] }

/** The agent's summary stands above them in the log, so a failure is not explained a second time. */
export function endedWords(view: BuildView, words: PageBuildWords): EndedWords {
  const { cause = 'other', reason = null } = view.failure ?? {}
  const isCancelled = view.status === 'cancelled'
  const last = view.lines.findLast(({ kind }) => kind !== 'request')
  const hasSummary = last?.kind === 'message'
  const sentence = hasSummary ? null : cause === 'own' ? reason : words.causes[cause]
  const shownTexts = [sentence, hasSummary ? last.text : null]
  return {
    title: isCancelled ? words.cancelledTitle : words.failedTitle,
    sentence,
    details: isCancelled
      ? []
      : [reason, view.output].filter((text): text is string => text !== null && text !== '' && !shownTexts.includes(text)),
  }
}
