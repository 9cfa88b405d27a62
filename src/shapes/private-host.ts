/** Addresses of this machine, the local network and cloud metadata services, and names that only resolve inside a network. */
export function isPrivateHost(host: string): boolean {
  const plain = host.toLowerCase().replace(/^\[|\]$/g, '')
  if (/^(?:.*\.)?(?:localhost|local|internal|home\.arpa|lan)$/.test(plain) || plain === 'metadata') return true
  const v4 = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(plain)
  if (v4) return isPrivateV4(v4.slice(1).map(Number))
  return plain.includes(':') ? isPrivateV6(plain) : !plain.includes('.')
}

function isPrivateV4([a = 0, b = 0, c = 0]: readonly number[]): boolean {
  if (a === 0 || a === 10 || a === 127 || a >= 224) return true
  if (a === 100) return b >= 64 && b <= 127
  if (a === 169) return b === 254
  if (a === 172) return b >= 16 && b <= 31
  if (a === 192) return b === 168 || (b === 0 && c === 0)
  return a === 198 && (b === 18 || b === 19)
}

/** Everything outside 2000::/3, and the ranges inside it that carry an IPv4 address. */
function isPrivateV6(text: string): boolean {
  if (!/^[23][0-9a-f]{0,3}:/.test(text)) return true
  return text.startsWith('2002:') || /^2001:0{0,4}:/.test(text)
}
