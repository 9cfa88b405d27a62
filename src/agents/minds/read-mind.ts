import { join } from 'node:path'
import type { MemberConfig, ModelConfig } from '../../config/schema.ts'
import type { Mind } from '../../ports/agent-runtime.ts'
import type { TextFiles } from './text-files.ts'

const defaultEffort = 3

const builtInPush = {
  en: 'You were about to rest. Look once more: is everything that was asked really done and checked? If something is left, go on with it. If you need a person, ask. If all is done, say so in one sentence.',
  zh: '你正要休息。请再检查一遍：所要求的事情是否真的全部完成并核对过？如有遗漏，请继续；如需要人来决定，请提问；如已全部完成，请用一句话说明。',
}

/** How a member's mind is kept in shape, as its settings say. */
export function mindOf(member: MemberConfig, model: ModelConfig | null, root: string, files: TextFiles): Mind {
  const diligence = diligenceOf(member, root, files)
  const context = model && contextOf(model)
  return { reasoningEffort: member['fbr-effort'] ?? defaultEffort, ...(diligence && { diligence }), ...(context && { context }) }
}

/** Without a limit nobody can say how full the context is, and nothing is done about it. */
function contextOf(model: ModelConfig): Mind['context'] | null {
  const limit = model.contextLength ?? model.inputLength
  if (limit === undefined) return null
  return {
    limit,
    optimal: model.optimalMaxTokens,
    critical: model.criticalMaxTokens ?? Math.floor(limit * 0.9),
    cadence: model.cautionCadence,
  }
}

/** Read when it is asked for, so that an edited text counts from the next push on. */
function diligenceOf(member: MemberConfig, root: string, files: TextFiles): Mind['diligence'] | null {
  const most = member['diligence-push-max'] ?? 0
  if (most < 1) return null
  const folder = join(root, '.minds')
  return {
    // An empty file says that this team wants none.
    get most() {
      return this.text === '' ? 0 : most
    },
    get text() {
      const own = files.first([...(member.language ? [join(folder, `diligence.${member.language}.md`)] : []), join(folder, 'diligence.md')])
      return own === null ? builtInPush[member.language ?? 'en'] : withoutFrontMatter(own).trim()
    },
  }
}

export const withoutFrontMatter = (text: string): string => text.replace(/^---\r?\n(?:[\s\S]*?\r?\n)?---[^\S\n]*(?:\r?\n|$)/, '')
