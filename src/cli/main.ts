#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { packageRoot } from '../app/config/installed-package.ts'

// Half of a start is compiling. The cache is beside the installed packages, so that nothing is written outside the project;
// where that is not allowed, Node goes on without it.
enableCompileCache(join(packageRoot, 'node_modules', '.cache', 'parley'))

const { runCli } = await import('./run-cli.ts')
process.exitCode = await runCli(process.argv.slice(2))
