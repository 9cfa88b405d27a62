import { type BuildView, currentStep, stepOf } from '../../../src/client/build-view.ts'
import type { Language } from '../../../src/shapes/language.ts'
import { pageBuildWords } from '../../../src/words/page-parts.ts'

/** Where a build stands in a few words. One that ended before its first step is not getting ready any more. */
export function nowTitle(view: BuildView, language: Language): string {
  const { announce, getsReady } = pageBuildWords[language]
  const step = currentStep(view)
  if (view.status === 'complete') return announce.complete
  if (step) return stepOf(step.id, language).title
  return view.status === 'failed' || view.status === 'cancelled' ? announce[view.status] : getsReady
}
