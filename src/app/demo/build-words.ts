import type { Option } from '../../builds/rules/build-events.ts'

type Choice = { prompt: string; options: Option[] }

export type DemoBuildWords = {
  begun: string
  goal: Choice
  details: { prompt: string; pace: Choice; topic: string }
  halfway: string
  tested: string
  summary(topic: string): string
  output(plan: { goal: string; pace: string; topic: string }): string
}

const findLabel = ({ options }: Choice, id: string | undefined): string =>
  (options.find((option) => option.id === id) ?? options[0])?.label ?? ''

/** The person's choices in words; defaults where none is known. */
export const toPlan = ({ goal, details }: DemoBuildWords, answers: Readonly<Record<string, string>>) => ({
  goal: findLabel(goal, answers['goal']),
  pace: findLabel(details.pace, answers['pace']),
  topic: answers['topic'] ?? '…',
})
