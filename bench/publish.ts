import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Figure } from './figure.ts'

/** Puts the figures of a run, read from stdin, into docs/BENCHMARKS.md in place of the former ones. */
const page = fileURLToPath(new URL('../docs/BENCHMARKS.md', import.meta.url))
const [begin, end] = ['<!-- figures -->\n', '<!-- end of figures -->\n']

const lines = readFileSync(0, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('{'))
  .map((line) => JSON.parse(line) as Figure)
const machine = lines.find(({ bench }) => bench === 'machine')
const figures = lines.filter(({ bench }) => bench !== 'machine')
if (!machine || figures.length === 0) throw new Error('there are no figures on stdin: npm run -s bench | node bench/publish.ts')

const number = (value: number | undefined): string =>
  value === undefined ? '' : value.toLocaleString('en-US', { maximumSignificantDigits: 3 })
const rows = figures.map(({ bench, figure, value, unit, floor, aim, met }) =>
  [
    bench,
    figure,
    `${number(value)} ${unit}`,
    number(floor),
    floor === undefined ? '' : number(value / floor),
    aim === undefined ? '' : `${aim}: ${met ? 'reached' : '**not reached**'}`,
  ].join(' | '),
)
const when = String(machine['at']).slice(0, 10)
const table = [
  `Measured on ${when} with Node ${String(machine['node']).slice(1)} on ${String(machine['cores'])} cores; the machine's load when it began was ${String(machine['load'])}.`,
  '',
  '| bench | figure | Parley | floor | ratio | aim |',
  '|---|---|---:|---:|---:|---|',
  ...rows.map((row) => `| ${row} |`),
].join('\n')

const text = readFileSync(page, 'utf8')
const [from, to] = [text.indexOf(begin), text.indexOf(end)]
if (from < 0 || to < from) throw new Error('docs/BENCHMARKS.md has lost the marks the figures stand between')
writeFileSync(page, `${text.slice(0, from + begin.length)}\n${table}\n\n${text.slice(to)}`)
