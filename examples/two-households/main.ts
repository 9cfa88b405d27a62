/**
 * The agents of two households meet in a world. One asks its owner before it says where they live, and both report when it is
 * over. Run it: node_modules/.bin/node examples/two-households/main.ts
 */
import assert from 'node:assert/strict'
// The story that `parley demo --worlds` plays, without pauses.
import { playWorlds } from '../../src/app/demo/play-worlds.ts'

const lines: string[] = []
await playWorlds('en', (line) => lines.push(line), 0)
console.log(lines.join('\n'))

// The owner was asked once, and only the answer was said to the peer.
assert.equal(lines.filter((line) => line.startsWith('Ada asks its owner:')).length, 1)
assert.ok(lines.includes('Ada: Somewhere in Portugal.'))
// Each owner got one report, told by their own agent.
assert.equal(lines.filter((line) => line.startsWith('Report to the owner of')).length, 2)
assert.equal(lines.filter((line) => / tells its owner: /.test(line)).length, 2)
