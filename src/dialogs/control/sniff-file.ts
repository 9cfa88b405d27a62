/** Media type by the bytes themselves. A name or a header of a client may lie, and a browser or a model would be given something else. */
export type Sniffed = { mediaType: string; width?: number; height?: number }

/** The size of a JPEG is behind its metadata; no further than this. */
export const sniffLimits = { jpegSegments: 200, textBytes: 4_000 } as const

const startsWith = (bytes: Buffer, text: string, at = 0): boolean => bytes.toString('latin1', at, at + text.length) === text

export function sniffFile(given: Uint8Array): Sniffed {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  if (startsWith(bytes, '\x89PNG\r\n\x1a\n') && bytes.length >= 24)
    return withSize('image/png', bytes.readUInt32BE(16), bytes.readUInt32BE(20))
  if ((startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')) && bytes.length >= 10)
    return withSize('image/gif', bytes.readUInt16LE(6), bytes.readUInt16LE(8))
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return { mediaType: 'image/webp', ...webpSize(bytes) }
  if (startsWith(bytes, '\xff\xd8\xff')) return { mediaType: 'image/jpeg', ...jpegSize(bytes) }
  if (startsWith(bytes, '%PDF-')) return { mediaType: 'application/pdf' }
  if (startsWith(bytes, 'PK\x03\x04')) return { mediaType: 'application/zip' }
  const recording = recordings.find(({ at, sign }) => startsWith(bytes, sign, at))
  if (recording) return { mediaType: recording.mediaType }
  return { mediaType: isText(bytes) ? 'text/plain' : 'application/octet-stream' }
}

const recordings: readonly { at: number; sign: string; mediaType: string }[] = [
  { at: 0, sign: 'OggS', mediaType: 'audio/ogg' },
  { at: 0, sign: 'ID3', mediaType: 'audio/mpeg' },
  { at: 8, sign: 'WAVE', mediaType: 'audio/wav' },
  { at: 4, sign: 'ftypM4A', mediaType: 'audio/mp4' },
  { at: 4, sign: 'ftyp', mediaType: 'video/mp4' },
]

const withSize = (mediaType: string, width: number, height: number): Sniffed =>
  width > 0 && height > 0 ? { mediaType, width, height } : { mediaType }

/** The first frame header. */
function jpegSize(bytes: Buffer): { width?: number; height?: number } {
  let at = 2
  for (let segment = 0; segment < sniffLimits.jpegSegments && at + 9 < bytes.length && bytes[at] === 0xff; segment += 1) {
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return sizes(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5))
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return {}
}

function webpSize(bytes: Buffer): { width?: number; height?: number } {
  if (bytes.length < 30) return {}
  if (startsWith(bytes, 'VP8X', 12)) return sizes(1 + bytes.readUIntLE(24, 3), 1 + bytes.readUIntLE(27, 3))
  if (startsWith(bytes, 'VP8L', 12)) {
    const packed = bytes.readUInt32LE(21)
    return sizes(1 + (packed & 0x3fff), 1 + ((packed >> 14) & 0x3fff))
  }
  return startsWith(bytes, 'VP8 ', 12) ? sizes(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff) : {}
}

const sizes = (width: number, height: number): { width?: number; height?: number } => (width > 0 && height > 0 ? { width, height } : {})

function isText(bytes: Buffer): boolean {
  const head = bytes.subarray(0, sniffLimits.textBytes)
  // A character may be cut at the end.
  return head.length > 0 && !head.includes(0) && !new TextDecoder().decode(head, { stream: true }).includes('\ufffd')
}
