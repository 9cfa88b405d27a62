import { type BuildView, currentStep, stepOf } from '../../../src/client/build-view.ts'
import type { Language } from '../../../src/shapes/language.ts'
import { pageBuildWords } from '../../../src/words/page-parts.ts'
import type { PageBuildWords } from '../../../src/words/en/page-builds.ts'

/** Announcement of the changes between two views: new messages, then the most important change. */
export function describeNews(was: BuildView, now: BuildView, language: Language): string {
  const words = pageBuildWords[language]
  const texts = now.lines.filter((line) => line.seq > was.seq && (line.kind === 'message' || line.kind === 'reassurance'))
  return [...texts.map((line) => ('text' in line ? line.text : '')), mainNews(was, now, language, words)]
    .filter((one) => one !== '')
    .join(' ')
}

function mainNews(was: BuildView, now: BuildView, language: Language, words: PageBuildWords): string {
  if (now.status !== was.status && (now.status === 'complete' || now.status === 'failed' || now.status === 'cancelled'))
    return words.announce[now.status]
  if (now.question && now.question.id !== was.question?.id)
    return now.question.questions.length > 1 ? words.questions(now.question.questions.length) : words.question
  const step = currentStep(now)
  if (!step || step.state !== 'active' || step.id === currentStep(was)?.id) return ''
  return words.announce.step(step.index, now.steps.length, stepOf(step.id, language).title)
}
