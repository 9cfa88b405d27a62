import { type Language, languageCodes } from '../../shapes/language.ts'
import { stepTexts } from '../../words/index.ts'

/** The seven steps every build goes through. Ids, titles and descriptions are protocol constants, apostrophes included. */
export const stepIds = ['build_record', 'parse', 'research', 'design', 'assemble', 'validate', 'finalize'] as const

export type StepId = (typeof stepIds)[number]

export type Step = { id: StepId; title: string; description: string; index: number; total: number }

export type StepTexts = Readonly<Record<StepId, { title: string; description: string }>>

export const isStepId = (id: unknown): id is StepId => (stepIds as readonly unknown[]).includes(id)

export function stepOf(id: StepId, locale: Language): Step {
  return { id, ...stepTexts[locale][id], index: stepIds.indexOf(id) + 1, total: stepIds.length }
}

export const stepsIn = (locale: Language): Step[] => stepIds.map((id) => stepOf(id, locale))

/** True for words of the dictionary, in any of its languages. */
export const isStepWording = (id: StepId, title: string, description: string): boolean =>
  languageCodes.some((locale) => stepTexts[locale][id].title === title && stepTexts[locale][id].description === description)

/** Every title and description of one step, in all languages. */
export const wordsOfStep = (id: StepId): string[] =>
  languageCodes.flatMap((locale) => [stepTexts[locale][id].title, stepTexts[locale][id].description])
