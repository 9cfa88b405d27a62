import { type BuildView, currentStep, emptyBuild, stepOf } from '../../../src/client/build-view.ts'
import type { Language } from '../../../src/shapes/language.ts'
import { pageBuildWords } from '../../../src/words/page-parts.ts'

/** Where a build stands in a few words. One that ended before its first step did not get beyond it; the log says why. */
export function nowTitle(view: BuildView, language: Language): string {
  const { announce, getsReady } = pageBuildWords[language]
  const step = currentStep(view)
  if (view.status === 'complete') return announce.complete
  const reached = step ?? (view.status === 'failed' || view.status === 'cancelled' ? emptyBuild.steps[0] : undefined)
  return reached ? stepOf(reached.id, language).title : getsReady
}
