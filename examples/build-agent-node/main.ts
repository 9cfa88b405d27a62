// needs: sandbox
/**
 * A build by a plain Node script: seven steps, one question, one set of two, killed once in the middle.
 * Run it: node_modules/.bin/node examples/build-agent-node/main.ts
 */
import { fileURLToPath } from 'node:url'
import { buildWith } from './story.ts'

await buildWith([process.execPath, fileURLToPath(new URL('agent.mjs', import.meta.url))])
