import type { MessageMedia } from '../../src/chats/message/media.ts'
import type { MessagePresentationBlock } from '../../src/chats/message/presentation.ts'
import type { ReplyPayload } from '../../src/chats/message/reply-payload.ts'

const cat: MessageMedia = { url: 'https://example.org/cat.png' }
const yesNo: MessagePresentationBlock = {
  type: 'buttons',
  buttons: [
    { label: 'Yes', value: 'yes', style: 'primary' },
    { label: 'No', value: 'no' },
  ],
}
const captioned = (size: number): ReplyPayload => ({ media: [{ ...cat, caption: 'c'.repeat(size) }] })
const below = (size: number): ReplyPayload => ({ text: 'x'.repeat(size), media: [cat] })

/** Pictures, sounds, films and files: alone, with words, with controls, many, and such as a platform will not fetch. */
export const media: Record<string, ReplyPayload> = {
  'media-image': { media: [cat] },
  'media-image-and-text': { text: 'A **cat**.', media: [cat] },
  'media-image-caption': { text: 'Words of the message.', media: [{ ...cat, caption: 'Words of the *picture* <3' }] },
  'media-image-text-buttons': { text: 'Keep it?', media: [cat], presentation: { blocks: [yesNo] } },
  'media-image-title-context-buttons': {
    media: [cat],
    presentation: { tone: 'info', title: 'A cat', blocks: [{ type: 'context', text: 'asleep' }, yesNo] },
  },
  'media-buttons-only': { media: [cat], presentation: { blocks: [yesNo] } },
  'media-moving-picture': { media: [{ url: 'https://example.org/wave.gif' }] },
  'media-audio': { media: [{ url: 'https://example.org/song.mp3', name: 'A song' }] },
  'media-audio-other-format': { media: [{ url: 'https://example.org/song.flac' }] },
  'media-video': { text: 'Look.', media: [{ url: 'https://example.org/film.mp4' }] },
  'media-file-pdf': { media: [{ url: 'https://example.org/report.pdf', caption: 'The report' }] },
  'media-file-not-fetched': { text: 'Data:', media: [{ url: 'https://example.org/data.csv', caption: 'as *CSV*' }] },
  'media-kind-said': { media: [{ url: 'https://example.org/picture?id=7', kind: 'image', name: 'seven' }] },
  'media-kind-unknown': { media: [{ url: 'https://example.org/thing' }] },
  'media-not-public': { media: [{ url: 'http://localhost:8080/cat.png' }] },
  'media-local-file': { text: 'From here.', media: [{ url: 'file:///project/out/chart.png' }] },
  'media-local-file-named': { media: [{ url: 'file:///project/out/1.bin', name: 'Zahlen März.csv' }] },
  'media-mixed': {
    text: 'Three things.',
    media: [cat, { url: 'https://example.org/data.csv' }, { url: 'https://example.org/film.mp4', caption: 'the film' }],
    presentation: { title: 'Yesterday', blocks: [{ type: 'text', text: 'All of it.' }, yesNo] },
  },
  'media-controls-in-between': { media: [cat], presentation: { blocks: [yesNo, { type: 'text', text: 'and then some' }] } },
  'media-image-block-too': {
    media: [cat],
    presentation: { blocks: [{ type: 'image', url: 'https://example.org/dog.png', alt: 'A dog' }] },
  },
  'media-chinese': { text: '一隻貓。', media: [{ url: 'https://example.org/%E8%B2%93.png', caption: '貓' }] },
  'media-caption-1023': captioned(1023),
  'media-caption-1024': captioned(1024),
  'media-caption-1025': captioned(1025),
  'media-text-1023': below(1023),
  'media-text-1024': below(1024),
  'media-text-1025': below(1025),
}
