import { join } from 'node:path'
import type { MemberConfig, ModelConfig } from '../../app/config/schema.ts'
import type { Mind } from '../../ports/agent-runtime.ts'
import type { TextFiles } from './text-files.ts'

export const defaultEffort = 3

/** Settings of context handling for one member. */
export function readMind(member: MemberConfig, model: ModelConfig | null, root: string, files: TextFiles): Mind {
  const diligence = readDiligence(member, root, files, model !== null)
  return { reasoningEffort: member['fbr-effort'] ?? defaultEffort, ...(diligence && { diligence }) }
}

/** Read when it is asked for, so that an edited text counts from the next push on. */
function readDiligence(member: MemberConfig, root: string, files: TextFiles, isModel: boolean): Mind['diligence'] | null {
  const most = member['diligence-push-max'] ?? (isModel ? null : 0)
  if (most !== null && most < 1) return null
  const folder = join(root, '.minds')
  return {
    // An empty file says that this team wants none.
    get most() {
      return this.text === '' ? 0 : most
    },
    get text() {
      const own = files.first([...(member.language ? [join(folder, `diligence.${member.language}.md`)] : []), join(folder, 'diligence.md')])
      return own === null ? null : withoutFrontMatter(own).trim()
    },
  }
}

export const withoutFrontMatter = (text: string): string => text.replace(/^---\r?\n(?:[\s\S]*?\r?\n)?---[^\S\n]*(?:\r?\n|$)/, '')
