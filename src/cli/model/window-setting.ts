import type { ModelWindow } from '../../agents/models/window.ts'
import { setInConfig } from '../../app/config/edit.ts'
import type { ModelConfig } from '../../app/config/schema.ts'
import type { Terminal } from '../terminal.ts'

/** Says the window of a model, and writes the one that its server has loaded as `contextLength` unless one is set. */
export function noteWindow(terminal: Terminal, file: string, name: string, model: ModelConfig, window: ModelWindow): string[] {
  const { words, paint } = terminal
  const setting = `models.${name}.contextLength`
  const tokens = window.windowTokens.toLocaleString('en')
  if (model.contextLength !== undefined) {
    const set = model.contextLength.toLocaleString('en')
    const differs = window.source === 'probed' && window.windowTokens < model.contextLength
    const line = `${paint.green('✓')} ${words.modelWindow(set, 'configured')}`
    return differs ? [line, paint.yellow(`! ${words.windowDiffers(setting, set, tokens)}`)] : [line]
  }
  if (window.source === 'unknown')
    return [`${paint.yellow('!')} ${words.modelWindow(tokens, 'unknown')}`, paint.dim(`  ${words.windowUnknown(setting)}`)]
  const line = `${paint.green('✓')} ${words.modelWindow(tokens, window.source)}`
  if (window.source !== 'probed') return [line]
  setInConfig(file, ['models', name, 'contextLength'], window.windowTokens)
  return [line, paint.dim(`  ${words.windowSet(setting, tokens)}`)]
}
