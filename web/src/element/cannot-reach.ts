import type { PageBuildWords } from '../../../src/words/en/page-builds.ts'

/**
 * Why no request arrives. A browser hides the reason from the page, but a server with `server.embedOrigins` lets every page load
 * the script: if that works, the server runs and does not list this page.
 */
export async function describeUnreachable(src: string, words: PageBuildWords): Promise<string> {
  const server = new URL(src === '' ? '/' : src, document.baseURI)
  if (server.origin === location.origin) return words.unreachable(server.origin)
  const script = `${server.href.replace(/(?<!\/)\/+$/, '')}/parley-build.js`
  const isRunning = await fetch(script, { method: 'HEAD', cache: 'no-store', credentials: 'omit' }).then(
    () => true,
    () => false,
  )
  return (isRunning ? words.notEmbedded : words.unreachableElsewhere)(server.origin, location.origin)
}
