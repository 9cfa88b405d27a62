// The first load must stay small: this fails when it does not. Run after `vite build`.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const limits = { js: 150_000, css: 15_000, element: 40_000 }
const dist = fileURLToPath(new URL('../dist/web/', import.meta.url))
const html = readFileSync(`${dist}index.html`, 'utf8')

const first = { js: new Set(), css: new Set() }
for (const [, path] of html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)) follow(path)

/** A script brings along what it imports without being asked; what is imported on demand is not part of the first load. */
function follow(path) {
  const kind = path.endsWith('.css') ? 'css' : 'js'
  if (first[kind].has(path)) return
  first[kind].add(path)
  if (kind === 'css') return
  const code = readFileSync(dist + path, 'utf8')
  for (const [, name] of code.matchAll(/(?:^|[;\s}])(?:import|export)\s*(?:[\w*{}\s,$]+from\s*)?["']\.\/([^"']+\.js)["']/g))
    follow(path.replace(/[^/]+$/, name))
}

let over = false
for (const kind of ['js', 'css']) {
  const files = [...first[kind]]
  const bytes = files.reduce((sum, path) => sum + gzipSync(readFileSync(dist + path), { level: 9 }).length, 0)
  if (files.length === 0 || bytes > limits[kind]) over = true
  console.log(`first load ${kind}: ${(bytes / 1000).toFixed(1)} kB gz of ${limits[kind] / 1000} kB in ${files.length} file(s)`)
}
// The element for other people's pages is one file that they load whole.
const element = gzipSync(readFileSync(`${dist}parley-build.js`), { level: 9 }).length
if (element > limits.element) over = true
console.log(`first load of parley-build.js: ${(element / 1000).toFixed(1)} kB gz of ${limits.element / 1000} kB`)

if (over) {
  console.error('The page is over its budget (or no page was found). See what grew, or load it later by import().')
  process.exitCode = 1
}
