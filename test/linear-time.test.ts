import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ambiguities } from './linear-time/ambiguity.ts'
import { explodes, measureGrowth } from './linear-time/cpu-time.ts'
import { entryPoints } from './linear-time/entry-points.ts'
import { bounded, madeAtRunTime } from './linear-time/exceptions.ts'
import { regexLiterals } from './linear-time/regex-literals.ts'
import { worstCases } from './linear-time/worst-cases.ts'
import { projectFiles } from './project-files.ts'

const files = projectFiles(['src', 'packages', 'web/src'], /\.tsx?$/).filter(({ path }) => !/\.test\.tsx?$|\/test\//.test(path))

/** The timing of the expression on its own worst cases; undefined when it has none. */
function slowCase(source: string, flags: string): string | undefined {
  const expression = new RegExp(source, flags)
  for (const { prefix, pump, ends } of ambiguities(source, flags))
    for (const end of ends) {
      const prepare = (chars: number) => {
        const text = prefix + pump.repeat(Math.ceil(chars / pump.length)) + end
        return () => void text.replace(expression, '')
      }
      const { isLinear, figures } = explodes(prepare) ? { isLinear: false, figures: 'exponential' } : measureGrowth(prepare)
      if (!isLinear) return `${JSON.stringify(prefix)} + ${JSON.stringify(pump)} repeated + ${JSON.stringify(end)}: ${figures}`
    }
  return undefined
}

describe('regular expressions', () => {
  test('each expression takes linear time or is listed with the bound of its input', (t) => {
    let lastSeen = 0
    let suspected = 0
    const judged = new Map<string, string | undefined>()
    const slow: string[] = []
    const unused = new Set(bounded.map(({ file, source }) => `${file} ${source}`))
    for (const { path, text } of files)
      for (const { line, source, flags } of regexLiterals(text).literals) {
        lastSeen += 1
        const key = `/${source}/${flags}`
        if (unused.delete(`${path} ${source}`) || bounded.some((each) => each.file === path && each.source === source)) continue
        if (!judged.has(key)) {
          if (ambiguities(source, flags).length > 0) suspected += 1
          judged.set(key, slowCase(source, flags))
        }
        const why = judged.get(key)
        if (why !== undefined) slow.push(`${path}:${line} ${key} ${why}`)
      }
    t.diagnostic(`${lastSeen} expressions in ${files.length} files; ${judged.size} different, ${suspected} of them measured`)
    assert.ok(lastSeen >= 250 && suspected >= 5, `only ${lastSeen} expressions and ${suspected} suspicions were found`)
    assert.deepEqual(slow, [])
    assert.deepEqual([...unused], [], 'listed as bounded, but not in the code')
  })

  test('each expression made at run time is listed with the bound of its input', () => {
    const madeInFiles = files.flatMap(({ path, text }) => regexLiterals(text).madeOnLines.map(() => path))
    assert.deepEqual(madeInFiles.toSorted(), madeAtRunTime.map(({ file }) => file).toSorted())
  })

  test('the analysis finds what is slow and passes what is not', () => {
    for (const slow of [
      /\s*\n\s*/g,
      /\/+$/,
      /(a+)+b/,
      /(?:a|a)*b/,
      /<[^>]*>/g,
      /^(\w+\s?)*$/,
      /x(?=.*y)/g,
      /^ {0,3}(`{3,})\s*(\w*)[^`]*$/,
      /a.*b|a/g,
    ])
      assert.notEqual(slowCase(slow.source, slow.flags), undefined, String(slow))
    for (const fast of [/\s+/g, /(?<!\/)\/+$/, /^a+b/, /[^\w.-]+/g, /^\[([A-Z_]+):([^\]\n]*)\]$/, /\bworkers?\b/gi, /`+/g])
      assert.equal(slowCase(fast.source, fast.flags), undefined, String(fast))
  })

  test('regexLiterals: tells expressions from divisions, tags, comments and text', () => {
    const code = [
      'const a = b / c / d // no /x/',
      "const url = 'http://a/b' /* /y/ */",
      'const e = text.replace(/[/"]+/g, `${/in/.test(x) ? `${y}` : 1}/z/`)',
      'return <p>{left / right}</p>',
      'const f = RegExp(url)',
    ].join('\n')
    assert.deepEqual(regexLiterals(code), {
      literals: [
        { line: 3, source: '[/"]+', flags: 'g' },
        { line: 3, source: 'in', flags: '' },
      ],
      madeOnLines: [5],
    })
  })
})

test('measureGrowth: tells linear from quadratic growth', () => {
  let steps = 0
  const taking = (count: (chars: number) => number) =>
    measureGrowth((chars) => () => {
      for (let left = count(chars); left > 0; left -= 1) steps += left % 3
    }).isLinear
  assert.equal(
    taking((chars) => chars * 1_000),
    true,
  )
  assert.equal(
    taking((chars) => (chars / 3) ** 2),
    false,
  )
  assert.ok(steps > 0)
})

describe('entry points', () => {
  for (const { name, run } of entryPoints)
    test(`${name}: takes linear time on its worst cases`, (t) => {
      const slow: string[] = []
      for (const [which, make] of worstCases) {
        const { isLinear, figures } = measureGrowth((chars) => {
          const text = make(chars)
          return () => void run(text)
        })
        if (!isLinear) slow.push(`${which}: ${figures}`)
      }
      t.diagnostic(`${worstCases.size} worst cases`)
      assert.ok(worstCases.size >= 200)
      assert.deepEqual(slow, [])
    })
})
