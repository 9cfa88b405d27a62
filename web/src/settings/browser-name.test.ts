import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserName } from './browser-name.ts'

test('browserName: names browser and system, and falls back to the start of the header', () => {
  const cases: [string, string][] = [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox · Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0',
      'Edge · Windows',
    ],
    ['Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36', 'Chrome · Android'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1', 'Safari · iOS'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15', 'Safari · macOS'],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['x'.repeat(100), 'x'.repeat(40)],
    ['', ''],
  ]
  for (const [header, name] of cases) assert.equal(browserName(header), name)
})
