#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Half of a start is compiling. Beside the installed packages, so that nothing is written outside the project; where that
// is not allowed, Node goes on without.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/parley', import.meta.url)))

const { runCli } = await import('./run-cli.ts')
process.exitCode = await runCli(process.argv.slice(2))
