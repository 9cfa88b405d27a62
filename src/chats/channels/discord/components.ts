import type { AdaptedBlock, AdaptedButton, BlockCost } from '../../../ports/channel.ts'
import { isLocal } from '../../message/media.ts'
import { discordLimits } from './limits.ts'
import { escapeMarkdown, toDiscordMarkdown, toSubtext } from './markdown.ts'

export type Component = { type: number; [field: string]: unknown }

/** D components/reference. */
const types = { row: 1, button: 2, select: 3, text: 10, gallery: 12, file: 13, separator: 14, container: 17 } as const
const styles = { primary: 1, secondary: 2, success: 3, danger: 4 } as const
const linkStyle = 5

type Words = Extract<AdaptedBlock, { type: 'text' | 'context' | 'title' }>

/** The content of a text as it is sent. */
function spell(block: Words, plain: boolean): string {
  if (block.type === 'title') return block.text.includes('\n') ? `**${escapeMarkdown(block.text)}**` : `## ${escapeMarkdown(block.text)}`
  const spelled = plain || block.format === 'plain' ? escapeMarkdown(block.text) : toDiscordMarkdown(block.text)
  return block.type === 'context' ? toSubtext(spelled) : spelled
}

/** One block of a message. `at` is its place in the message, which makes ids unique. */
export function toComponents(block: AdaptedBlock, at: number, plain: boolean): Component[] {
  switch (block.type) {
    case 'title':
    case 'text':
    case 'context':
      return [{ type: types.text, content: spell(block, plain) }]
    case 'divider':
      return [{ type: types.separator }]
    case 'image':
      return [toGallery(block.url, block.alt)]
    case 'media':
      return [
        block.kind === 'image' || block.kind === 'video'
          ? toGallery(uploadUrl(block), block.name)
          : { type: types.file, file: { url: uploadUrl(block) } },
      ]
    case 'buttons':
      return block.rows.map((row, line) => ({
        type: types.row,
        components: row.map((button, index) => toButton(button, `${at}-${line}-${index}`)),
      }))
    case 'select':
      return [{ type: types.row, components: [toSelect(block, String(at))] }]
    case 'table':
    case 'chart':
      return []
  }
}

export const toContainer = (components: Component[], accent: number | undefined): Component => ({
  type: types.container,
  ...(accent !== undefined && { accent_color: accent }),
  components,
})

/** A file of this machine goes up under the name its author gave it: the fragment keeps it beside the path. */
const uploadUrl = ({ url, name }: { url: string; name: string }): string =>
  isLocal({ url }) && !url.includes('#') ? `${url}#${encodeURIComponent(name)}` : url

/** The words are read aloud; a name that is too long for them says less than none. */
const toGallery = (url: string, words: string): Component => ({
  type: types.gallery,
  items: [{ media: { url }, ...(words.trim() !== '' && words.length <= discordLimits.altChars && { description: words }) }],
})

/** Ids are unique in a message: the value comes after the place of the control. */
const placed = (place: string, value: string): string => `${place}:${value}`

/** The value of a control without its place. */
export const valueIn = (placedValue: string): string => placedValue.replace(/^\d+(?:-\d+){0,2}:/, '')

function toButton({ label, press, style }: AdaptedButton, place: string): Component {
  if (press.type === 'url') return { type: types.button, style: linkStyle, label, url: press.url }
  const look = { type: types.button, style: styles[style ?? 'secondary'], label }
  return press.type === 'value'
    ? { ...look, custom_id: placed(place, press.value) }
    : { ...look, custom_id: placed(place, ''), disabled: true }
}

function toSelect({ placeholder, options }: Extract<AdaptedBlock, { type: 'select' }>, place: string): Component {
  return {
    type: types.select,
    custom_id: placed(place, 'select'),
    ...(placeholder !== '' && { placeholder }),
    options: options.map(({ label, value }, index) => ({ label, value: placed(String(index), value) })),
  }
}

/** Discord counts nested components, and text as it is sent. */
export function measureBlock(block: AdaptedBlock): BlockCost {
  switch (block.type) {
    case 'title':
    case 'text':
    case 'context':
      return { text: Math.max(spell(block, false).length, spell(block, true).length), blocks: 1, bytes: 0 }
    case 'divider':
      return { text: 0, blocks: 1, bytes: 0 }
    case 'image':
      return { text: block.alt.length, blocks: 1, bytes: 0 }
    case 'media':
      return { text: block.name.length, blocks: discordLimits.componentsOfMedium, bytes: 0 }
    case 'buttons':
      return {
        text: block.rows.flat().reduce((sum, { label }) => sum + label.length, 0),
        blocks: block.rows.reduce((sum, row) => sum + row.length + 1, 0),
        bytes: 0,
      }
    case 'select':
      return { text: block.options.reduce((sum, { label }) => sum + label.length, block.placeholder.length), blocks: 2, bytes: 0 }
    case 'table':
    case 'chart':
      return { text: 0, blocks: 0, bytes: 0 }
  }
}
