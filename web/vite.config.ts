import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { buildId, pageBuild, scriptBuild } from './page-build.ts'

const project = fileURLToPath(new URL('..', import.meta.url))
const outDir = fileURLToPath(new URL('../dist/web', import.meta.url))
const element = fileURLToPath(new URL('./src/element/parley-build.ts', import.meta.url))
const worker = fileURLToPath(new URL('./src/notices/service-worker.ts', import.meta.url))
const build = buildId(project)
// Parts of the page that are loaded when they are opened, their dictionaries, and languages other than English.
const onDemand =
  /[\\/](?:web[\\/]src[\\/](?:(?:approvals|build|chats|grants|notices|worlds|offers|palette|presentation|settings|taskdoc)[\\/]|attach[\\/](?:index|attachment-list|message-files)|chat[\\/](?:approval-record|facts-panel|tool-details|turn-facts|side-questions)|lists[\\/](?:(?:overview|place)\.tsx|inbox-row|pairing-row|stuck-row|quick-answers|leaving-rows|use-deciding)|parts[\\/](?:keys-list|list-page\.tsx)|words[\\/]failure-text)|src[\\/]errors\.ts|src[\\/]client[\\/](?:typed-answer|build-view)\.ts|src[\\/]authority[\\/](?:because-sentence|request-sentence|shown-fact)\.ts|src[\\/]builds[\\/]rules[\\/]steps\.ts|src[\\/]words[\\/](?:page-parts\.ts|[a-z]+[\\/](?:page-|approval-facts|steps)|(?!en[\\/])[a-z]+[\\/]page\.ts))/
// The log of a chat with all it needs. What the first page needs of these folders as well stays with it.
const chat =
  /[\\/](?:web[\\/]src[\\/](?:chat[\\/](?!approval-record|facts-panel|tool-details|turn-facts|side-questions)|markdown[\\/])|node_modules[\\/](?:marked|virtua)[\\/])(?!.*\.css)/
// Browsers that know light-dark() and nested CSS, so that neither is rewritten into something larger.
const target = ['chrome123', 'edge123', 'firefox128', 'safari17.5']

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Absolute in index.html, because the page is opened at deep paths such as /c/abc: a relative base would look for
  // /c/assets, and a <base> element is forbidden by `base-uri 'none'`. The server adds the path it is mounted at.
  base: '/',
  experimental: { renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `/${file}` : { relative: true }) },
  define: { __PARLEY_BUILD__: JSON.stringify(build) },
  plugins: [
    react(),
    scriptBuild(element, 'parley-build', outDir, target),
    scriptBuild(worker, 'service-worker', outDir, target),
    pageBuild(build, outDir),
  ],
  build: {
    outDir,
    emptyOutDir: true,
    target,
    // Everything stays a file of its own: `data:` addresses are not in the page's content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // The fold of builds is exported beside that of dialogs, and every dictionary beside that of the page: only what is used is loaded.
      treeshake: { moduleSideEffects: [{ test: /[\\/]src[\\/](?:client|words)[\\/]/, sideEffects: false }] },
      output: {
        // Everything but the parts that are loaded on demand is one file: parts that share code with them would otherwise become
        // files of their own, whose styles come before the line that orders the layers.
        codeSplitting: {
          groups: [
            { name: 'page', test: (id: string) => !onDemand.test(id) && !chat.test(id), priority: 2 },
            { name: 'chat', test: chat, priority: 1 },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { '/v1': { target: process.env['PARLEY_URL'] ?? 'http://127.0.0.1:4700', ws: true } } },
})
