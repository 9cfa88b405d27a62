import { readFileSync, statSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { ParleyError } from '../errors.ts'
import type { Headers } from './auth/same-site.ts'

const kinds: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

/** Nothing from elsewhere, nothing inline, no script made out of text. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The address of the service worker, which the page makes of one constant.
  'trusted-types parley-worker',
].join('; ')

/** Files larger than this, all together, are read again for each request. */
export const pageLimits = { cachedBytes: 4_000_000 } as const

/**
 * The built page: files by name, and `index.html` for every path the page itself makes sense of. Below a base path the
 * addresses in `index.html` are rewritten: relative ones fail at deep paths such as /c/abc, and the policy forbids `<base>`.
 */
export function staticPage(
  folder: string | undefined,
  basePath = '',
  commandName = 'parley',
): (path: string, header: Headers) => Promise<Response> {
  const getContent = fileCache()
  return async (path, header) => {
    if (folder === undefined || !isFile(join(folder, 'index.html'))) return notBuilt(path)
    const file = fileFor(folder, path)
    if (file === null) throw new ParleyError('not_found', { path: path.slice(0, 100).toWellFormed() })
    const headers = new Headers({ 'content-type': kinds[extname(file)] ?? 'application/octet-stream', vary: 'accept-encoding' })
    if (file.endsWith('.html')) headers.set('content-security-policy', pagePolicy)
    // Names of built files change with their content.
    headers.set('cache-control', file.startsWith(join(folder, 'assets') + sep) ? 'public, max-age=31536000, immutable' : 'no-cache')
    if ((basePath !== '' || commandName !== 'parley') && file.endsWith('.html')) {
      const html = rewritten(getContent(file).toString('utf8'), basePath, commandName)
      return new Response(html, { headers })
    }
    const isPacked = /\bbr\b/.test(header('accept-encoding') ?? '') && isFile(`${file}.br`)
    if (isPacked) headers.set('content-encoding', 'br')
    const bytes = getContent(isPacked ? `${file}.br` : file)
    headers.set('content-length', String(bytes.length))
    return new Response(bytes, { headers })
  }
}

/** The page reads `data-base` for its own addresses and `data-command` for the commands it names: an inline script is forbidden. */
const rewritten = (html: string, basePath: string, commandName: string): string =>
  html
    .replaceAll(/\b(href|src)="\/(?!\/)/g, `$1="${basePath}/`)
    .replace('<html ', `<html data-base="${basePath}" data-command="${commandName}" `)

/**
 * One buffer for each file, however many connections it is being sent to: the page needs no sign-in, so a reader that does not
 * read must not cost the size of a file. A file that changed is read again.
 */
function fileCache(): (file: string) => Buffer<ArrayBuffer> {
  const files = new Map<string, { changedAt: number; bytes: Buffer<ArrayBuffer> }>()
  let cachedBytes = 0
  return (file) => {
    const { mtimeMs: changedAt, size } = statSync(file)
    const cached = files.get(file)
    if (cached?.changedAt === changedAt && cached.bytes.length === size) return cached.bytes
    const bytes = readFileSync(file)
    cachedBytes -= cached?.bytes.length ?? 0
    files.delete(file)
    if (cachedBytes + bytes.length <= pageLimits.cachedBytes) {
      cachedBytes += bytes.length
      files.set(file, { changedAt, bytes })
    }
    return bytes
  }
}

function fileFor(folder: string, path: string): string | null {
  const decodedPath = decoded(path)
  if (decodedPath === null || decodedPath.includes('\0') || decodedPath.split(/[/\\]/).some((part) => part.startsWith('.'))) return null
  const file = join(folder, decodedPath)
  if (file.startsWith(folder.endsWith(sep) ? folder : folder + sep) && !file.endsWith('.br') && isFile(file)) return file
  return extname(decodedPath) === '' ? join(folder, 'index.html') : null
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function notBuilt(path: string): Response {
  if (extname(path) !== '') throw new ParleyError('not_found', { path: path.slice(0, 100).toWellFormed() })
  const html =
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Parley</title><h1>Parley is running</h1><p>The page is not built yet. Run <code>npm run build</code> in its folder, then load this again.</p></html>'
  return new Response(html, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': pagePolicy, 'cache-control': 'no-store' },
  })
}

/** The name of the built page, as its build wrote it down; null when there is none. */
export function pageBuild(folder: string | undefined): string | null {
  if (folder === undefined) return null
  try {
    const { build } = JSON.parse(readFileSync(join(folder, 'build.json'), 'utf8')) as { build?: unknown }
    return typeof build === 'string' ? build : null
  } catch {
    return null
  }
}
