import type { ReactNode } from 'react'
import { describeError, type Refusal } from '../../../src/errors.ts'
import { inWords, useWords } from './use-words.ts'

type FailureTextProps = {
  error: Refusal
  /** `catalogue`: the English sentence with all details, also where the reader's language has a shorter one. */
  show: 'message' | 'message and hint' | 'catalogue'
}

/** The sentences of an error in the log. Loaded on demand, because they bring the whole catalogue of errors. */
export function FailureText({ error, show }: FailureTextProps): ReactNode {
  const words = useWords()
  const described = describeError(error.code, error.details)
  if (show === 'catalogue') return described.message
  const { message, hint } = inWords(described, words)
  return show === 'message' ? message : `${message} ${hint}`
}
