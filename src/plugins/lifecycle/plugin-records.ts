import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomic } from '../../app/config/write-file-atomic.ts'

/** The version and the defaults of a plugin that its owner has seen. Records of older releases have no defaults. */
export type PluginRecord = { name: string; version: string; defaults?: Record<string, unknown> }

const recordFile = (dataDir: string): string => join(dataDir, 'plugins', '.installed.json')

export function readRecords(dataDir: string): PluginRecord[] {
  if (!existsSync(recordFile(dataDir))) return []
  return JSON.parse(readFileSync(recordFile(dataDir), 'utf8')) as PluginRecord[]
}

export const findRecord = (dataDir: string, name: string): PluginRecord | null =>
  readRecords(dataDir).find((record) => record.name === name) ?? null

export function writeRecord(dataDir: string, record: PluginRecord): void {
  writeRecords(dataDir, [...readRecords(dataDir).filter(({ name }) => name !== record.name), record])
}

export function removeRecord(dataDir: string, name: string): void {
  const records = readRecords(dataDir)
  const others = records.filter((record) => record.name !== name)
  if (others.length < records.length) writeRecords(dataDir, others)
}

function writeRecords(dataDir: string, records: readonly PluginRecord[]): void {
  mkdirSync(join(dataDir, 'plugins'), { recursive: true, mode: 0o700 })
  writeFileAtomic(recordFile(dataDir), `${JSON.stringify(records, null, 2)}\n`, 0o600)
}
