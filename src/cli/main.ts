#!/usr/bin/env node
// This file has no import statement: an older Node links imports before it runs a line, and would end with a SyntaxError of a
// file that needs a newer one.
const leastNode = [24, 15] as const
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < leastNode[0] || (major === leastNode[0] && minor < leastNode[1])) {
  process.stderr.write(
    `Parley needs Node.js ${leastNode.join('.')} or newer, but this is Node.js ${process.versions.node}. Install a newer one from https://nodejs.org, then run this again.\n`,
  )
  process.exit(1)
}

const [{ enableCompileCache }, { join }, { packageRoot }] = await Promise.all([
  import('node:module'),
  import('node:path'),
  import('../app/config/installed-package.ts'),
])
// Half of a start is compiling. The cache is beside the installed packages, so that nothing is written outside the project;
// where that is not allowed, Node goes on without it.
enableCompileCache(join(packageRoot, 'node_modules', '.cache', 'parley'))

const { runCli } = await import('./run-cli.ts')
process.exitCode = await runCli(process.argv.slice(2))
