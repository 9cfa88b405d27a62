// needs: sandbox
/**
 * The same build by a program in Python, with a small file of its own instead of a package.
 * Run it: node_modules/.bin/node examples/build-agent-python/main.ts
 */
import { fileURLToPath } from 'node:url'
import { buildWith } from '../build-agent-node/story.ts'

await buildWith(['python3', fileURLToPath(new URL('agent.py', import.meta.url))])
