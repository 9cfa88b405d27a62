import { dataCases } from './store-contract-data.ts'
import { fencingCases } from './store-contract-fencing.ts'
import { hintCases } from './store-contract-hints.ts'
import { logCases } from './store-contract-log.ts'
import { onceCases } from './store-contract-once.ts'
import { rowCases } from './store-contract-rows.ts'
import type { StoreCase } from './store-contract-units.ts'
import { wordCases } from './store-contract-words.ts'
import { workCases } from './store-contract-work.ts'

export type { StoreCase, StoreSubject } from './store-contract-units.ts'

/** The contract of every store, as data: a loop of ten lines runs it under any test runner. */
export const storeContract: readonly StoreCase[] = [
  ...logCases,
  ...dataCases,
  ...workCases,
  ...fencingCases,
  ...onceCases,
  ...rowCases,
  ...wordCases,
  ...hintCases,
]
