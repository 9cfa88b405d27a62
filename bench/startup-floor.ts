import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { floorLog } from './floor-log.ts'

/** The floor of a server: node:http listening over an open log, and nothing behind it. */
const [path = ''] = process.argv.slice(2)
floorLog(path)
const server = createServer((_request, response) => response.end('{}'))
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })))
