import { useContext } from 'react'
import type { PageApprovalWords } from '../../../src/words/en/page-approvals.ts'
import { pageApprovalWords } from '../../../src/words/page-parts.ts'
import { LanguageContext } from '../words/use-words.ts'

export type ApprovalWords = PageApprovalWords

export const useApprovalWords = (): ApprovalWords => pageApprovalWords[useContext(LanguageContext)]
