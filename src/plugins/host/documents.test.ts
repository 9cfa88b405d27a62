import { test } from 'node:test'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { documentCases } from './test/document-cases.ts'

for (const { name, run } of documentCases) test(`memory: ${name}`, () => run(async () => memoryStore()))
