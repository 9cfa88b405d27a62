const schemes = new Set(['http:', 'https:', 'mailto:'])

/** The address when a person may follow it, else null. Relative addresses would point into the page itself, so they are none. */
export function safeLink(href: string): string | null {
  if (!URL.canParse(href)) return null
  const url = new URL(href)
  return schemes.has(url.protocol) ? url.href : null
}
