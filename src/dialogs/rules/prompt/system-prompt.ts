import type { Language } from '../../../shapes/language.ts'
import { systemTexts } from '../../../words/index.ts'

/** Sentences of the system prompt. Exact: models are tested against them. */
export type SystemTexts = {
  identity(name: string, about: string, persona: string): string
  runtime: string
  teamHeading: string
  teammate(name: string, about: string): string
  whoToAsk: string
  /** The last line of `whoToAsk` in a side dialog. */
  askBackFirst: string
  working: string
  finishing: { root: string; side: string }
  markers: string
  languageHeading: string
  /** A language without a sentence of its own gets `own`. */
  languageRules: { own: string } & Partial<Record<Language, string>>
  freshMind: string
}

export type SystemFacts = {
  name: string
  about: string
  persona: string
  /** The language of the dialog; the prompt is written in it. */
  language: Language
  /** The language the agent always answers in; null for that of the person or request. */
  answersIn: Language | null
  variant: 'root' | 'side' | 'fresh-mind'
  team: readonly { name: string; about: string }[]
  /** Notes of the owner: environment, knowledge, lessons. */
  notes: readonly string[]
}

/** The system prompt of an epoch. Nothing in it changes before the next one. */
export function systemPrompt({ name, about, persona, language, answersIn, variant, team, notes }: SystemFacts): string {
  const texts = systemTexts[language]
  const identity = texts.identity(name, about.trim().replace(/[.。]$/, ''), persona.trim())
  if (variant === 'fresh-mind') return `${identity}\n\n${texts.freshMind}`
  const members = team.map((member) => texts.teammate(member.name, member.about))
  return [
    identity,
    texts.runtime,
    ...(members.length === 0 ? [] : [[texts.teamHeading, ...members].join('\n')]),
    variant === 'side' ? `${texts.whoToAsk}\n${texts.askBackFirst}` : texts.whoToAsk,
    texts.working,
    texts.finishing[variant],
    texts.markers,
    `${texts.languageHeading}\n${texts.languageRules[answersIn ?? 'own'] ?? texts.languageRules.own}`,
    ...notes.map((note) => note.trim()).filter((note) => note !== ''),
  ].join('\n\n')
}
