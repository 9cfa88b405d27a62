/** A frame of the long connection, as far as it is used here: protobuf message `pbbp2.Frame` of the official libraries. */
export type Frame = { method: number; service: number; headers: Record<string, string>; payload: Buffer }

/** Field numbers of `Frame` and of its `headers`. */
const numbers = { seq: 1, log: 2, service: 3, method: 4, headers: 5, payload: 8, key: 1, value: 2 } as const

export function encodeFrame({ method, service, headers, payload }: Frame): Buffer {
  return Buffer.concat([
    ...[
      [numbers.seq, 0],
      [numbers.log, 0],
      [numbers.service, service],
      [numbers.method, method],
    ].flatMap(([number = 0, value = 0]) => [varint(number << 3), varint(value)]),
    ...Object.entries(headers).map(([key, value]) =>
      bytes(numbers.headers, Buffer.concat([bytes(numbers.key, Buffer.from(key)), bytes(numbers.value, Buffer.from(value))])),
    ),
    bytes(numbers.payload, payload),
  ])
}

export function decodeFrame(data: Buffer): Frame {
  const frame: Frame = { method: 0, service: 0, headers: {}, payload: Buffer.alloc(0) }
  for (const { number, value } of readFields(data)) {
    if (typeof value === 'number') {
      if (number === numbers.method) frame.method = value
      if (number === numbers.service) frame.service = value
    } else if (number === numbers.payload) frame.payload = value
    else if (number === numbers.headers) {
      const [key = '', text = ''] = readFields(value).map((field) => String(field.value))
      frame.headers[key] = text
    }
  }
  return frame
}

function varint(value: number): Buffer {
  const out: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) out.push((rest % 128) + 128)
  return Buffer.from([...out, rest])
}

const bytes = (number: number, value: Buffer): Buffer => Buffer.concat([varint((number << 3) + 2), varint(value.length), value])

function readFields(data: Buffer): { number: number; value: number | Buffer }[] {
  const fields: { number: number; value: number | Buffer }[] = []
  let at = 0
  const next = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = data[at++] ?? 0
      value += (byte % 128) * factor
      if (byte < 128) return value
    }
  }
  while (at < data.length) {
    const tag = next()
    const value = next()
    const isBytes = tag % 8 === 2
    fields.push({ number: Math.floor(tag / 8), value: isBytes ? data.subarray(at, at + value) : value })
    if (isBytes) at += value
  }
  return fields
}
