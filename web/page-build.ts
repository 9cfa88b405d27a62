import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build as viteBuild, type Plugin } from 'vite'

/** A name for what the page is made of: the same inputs give the same name on every machine. */
export function buildId(project: string): string {
  const digest = createHash('sha256')
  const files = ['web/index.html', 'web/vite.config.ts', 'package-lock.json', 'src/errors.ts', 'src/builds/rules/steps.ts']
  for (const folder of [
    'web/src',
    'web/public',
    'src/errors',
    'src/client',
    'src/authority',
    'src/dialogs/rules',
    'src/chats/message',
    'src/words',
    'src/shapes',
  ])
    files.push(...filesUnder(join(project, folder)).map((file) => relative(project, file)))
  for (const file of files.toSorted()) {
    if (file.endsWith('.test.ts')) continue
    digest
      .update(file.replaceAll('\\', '/'))
      .update('\0')
      .update(readFileSync(join(project, file)))
      .update('\0')
  }
  return digest.digest('hex').slice(0, 12)
}

/**
 * A script beside the page that shares no file with it: `parley-build.js`, which other people's pages load and which can be copied
 * anywhere, and `service-worker.js`, whose name must not change.
 */
export function scriptBuild(entry: string, name: string, outDir: string, target: string[]): Plugin {
  return {
    name: `${name}-build`,
    apply: 'build',
    async writeBundle() {
      await viteBuild({
        configFile: false,
        logLevel: 'warn',
        publicDir: false,
        build: {
          outDir,
          emptyOutDir: false,
          target,
          reportCompressedSize: false,
          lib: {
            entry,
            formats: ['iife'],
            name: name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
            fileName: () => `${name}.js`,
          },
        },
      })
    },
  }
}

/** Tells the server which page it serves, and puts a `.br` beside everything worth it, so that serving costs nothing. */
export function pageBuild(build: string, outDir: string): Plugin {
  return {
    name: 'parley-page-build',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'build.json', source: `${JSON.stringify({ build })}\n` })
    },
    closeBundle() {
      for (const file of filesUnder(outDir)) {
        if (!/\.(html|js|css|svg|json)$/.test(file)) continue
        const plain = readFileSync(file)
        const packed = brotliCompressSync(plain, {
          params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
        })
        if (packed.length < plain.length) writeFileSync(`${file}.br`, packed)
      }
    },
  }
}

function filesUnder(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
