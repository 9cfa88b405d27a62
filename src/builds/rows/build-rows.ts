import { idOfQuestion, listQuestions } from '../rules/answers.ts'
import { type BuildState, getStanding } from '../rules/build-state.ts'
import { stepIds } from '../rules/steps.ts'
import type { BuildSummary } from '../../client/builds.ts'
import type { ViewRow } from '../../ports/store.ts'

/** The rows the list of builds is read from, the latest begun first. */
export const buildView = 'build'

export function summaryOfBuild(state: BuildState): BuildSummary {
  const { build, session, agent, locale, prompt, progress, openedAt, updatedAt } = state
  const reached = progress.open ?? progress.done.at(-1)
  const question = progress.isOver ? null : progress.question
  return {
    build_id: build,
    session_id: session,
    agent,
    language: locale,
    prompt,
    status: getStanding(state),
    step: reached === undefined ? 0 : stepIds.indexOf(reached) + 1,
    openQuestions: question === null ? 0 : listQuestions(question).length,
    question: question && { id: idOfQuestion(question), prompt: question.ask.prompt },
    openedAt,
    updatedAt,
  }
}

/** A list is read often and shows no choices, so its rows have none. */
export function detailOfBuild(state: BuildState): BuildSummary {
  const summary = summaryOfBuild(state)
  const { question: open } = state.progress
  if (summary.question === null || open === null) return summary
  const questions = listQuestions(open).map(({ question_id: id, prompt, input, options = [] }) => ({ id, prompt, input, options }))
  return { ...summary, question: { ...summary.question, isSet: open.kind === 'set', questions } }
}

export function rowOfBuild(state: BuildState): ViewRow {
  const body = summaryOfBuild(state)
  return { view: buildView, key: state.build, group: body.status, sort: state.openedAt, text: `${body.prompt}\n${body.agent}`, body }
}
