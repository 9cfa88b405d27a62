const browsers: [RegExp, string][] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** A User-Agent header as a person knows the browser; the start of the header where it is none of the known ones. */
export function browserName(header: string): string {
  const find = (names: readonly [RegExp, string][]): string | undefined => names.find(([pattern]) => pattern.test(header))?.[1]
  const program = find(browsers)
  const system = find(systems)
  if (program === undefined) return header.slice(0, 40)
  return system === undefined ? program : `${program} · ${system}`
}
