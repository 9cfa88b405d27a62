import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { modelEmulator } from '../../testing/model-emulator.ts'

describe('a kept connection', () => {
  it('does not keep the process alive', async () => {
    const emulator = await modelEmulator()
    try {
      const script = `
        import { httpSend, httpTarget, getBody } from ${JSON.stringify(new URL('./http-post.ts', import.meta.url).href)}
        const target = httpTarget(new URL(process.argv[1] + '/models'))
        const response = await httpSend(target, { method: 'GET', headers: {}, body: undefined, signal: undefined })
        const { socket } = response
        for await (const bytes of getBody(response)) console.log(bytes.toString('utf8'))
        process.on('exit', () => console.log('left with a connection:', socket.destroyed === false))`
      const child = execFile(process.execPath, ['--input-type=module', '--eval', script, emulator.url], { timeout: 20_000 })
      const output = await new Promise<string>((resolve, reject) => {
        let text = ''
        child.stdout?.on('data', (bytes) => (text += String(bytes)))
        child.on('close', (code, killedBy) => (code === 0 ? resolve(text) : reject(new Error(`ended with ${code ?? killedBy}`))))
      })
      assert.match(output, /"emulated"[^]*left with a connection: true/)
    } finally {
      await emulator.close()
    }
  })
})
