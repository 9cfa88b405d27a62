// needs: sandbox
/**
 * The same build by a script in POSIX shell.
 * Run it: node_modules/.bin/node examples/build-agent-shell/main.ts
 */
import { fileURLToPath } from 'node:url'
import { buildWith } from '../build-agent-node/story.ts'

await buildWith(['sh', fileURLToPath(new URL('agent.sh', import.meta.url))])
