import { inflateRawSync } from 'node:zlib'

export const docxLimits = {
  /** The main part of a document, unpacked. */
  unpackedBytes: 30_000_000,
  entries: 5_000,
} as const

const mainPart = 'word/document.xml'
const signatures = { end: 0x06054b50, entry: 0x02014b50, file: 0x04034b50 } as const
const endBytes = 22
/** A comment of the archive may stand behind its end record. */
const longestComment = 0xffff

/** The XML of the main part; null where the archive is no Word document. Throws where it is damaged or unpacks to too much. */
export function docxPart(given: Uint8Array): string | null {
  const zip = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const end = findEnd(zip)
  if (end === -1) return null
  const count = Math.min(zip.readUInt16LE(end + 10), docxLimits.entries)
  let at = zip.readUInt32LE(end + 16)
  for (let entry = 0; entry < count && at + 46 <= zip.length && zip.readUInt32LE(at) === signatures.entry; entry += 1) {
    const nameBytes = zip.readUInt16LE(at + 28)
    if (zip.toString('utf8', at + 46, at + 46 + nameBytes) === mainPart)
      return unpack(zip, { method: zip.readUInt16LE(at + 10), bytes: zip.readUInt32LE(at + 20), local: zip.readUInt32LE(at + 42) })
    at += 46 + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return null
}

function findEnd(zip: Buffer): number {
  for (let at = zip.length - endBytes; at >= Math.max(0, zip.length - endBytes - longestComment); at -= 1)
    if (zip.readUInt32LE(at) === signatures.end) return at
  return -1
}

function unpack(zip: Buffer, { method, bytes, local }: { method: number; bytes: number; local: number }): string {
  if (zip.readUInt32LE(local) !== signatures.file) throw new Error('the archive is damaged')
  const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  const packed = zip.subarray(from, from + bytes)
  if (method === 0) return packed.toString('utf8')
  if (method !== 8) throw new Error('the archive is packed in another way')
  // The size in the archive may lie; this one is enforced.
  return inflateRawSync(packed, { maxOutputLength: docxLimits.unpackedBytes }).toString('utf8')
}
