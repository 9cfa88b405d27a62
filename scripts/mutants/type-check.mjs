import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { applyMutant } from './make-mutants.mjs'

/** Ids of mutants that the compiler refuses. All are written beside their files in a copy of the tree, so one run checks them. */
export async function findTypeFaults(mutants) {
  const dir = mkdtempSync(join(tmpdir(), 'parley-mutants-'))
  try {
    for (const part of ['src', 'packages', 'package.json', 'tsconfig.json']) cpSync(part, join(dir, part), { recursive: true })
    symlinkSync(resolve('node_modules'), join(dir, 'node_modules'))
    for (const mutant of mutants)
      writeFileSync(
        join(dir, mutant.file.replace(/\.ts$/, `.mutant-${mutant.id}.ts`)),
        applyMutant(readFileSync(mutant.file, 'utf8'), mutant),
      )
    writeFileSync(join(dir, 'tsconfig.mutants.json'), JSON.stringify({ extends: './tsconfig.json', include: ['src/**/*.mutant-*.ts'] }))
    const output = await runCompiler(dir)
    const faults = [...output.matchAll(/^\S+?(?:\.mutant-(\d+))?\.ts\(\d+,\d+\): error /gm)]
    if (faults.some(([, id]) => id === undefined)) throw new Error(`the unchanged tree does not compile:\n${output.slice(0, 2_000)}`)
    return new Set(faults.map(([, id]) => Number(id)))
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const runCompiler = (dir) =>
  new Promise((done, fail) => {
    const compiler = resolve('node_modules/typescript/bin/tsc')
    execFile(
      process.execPath,
      [compiler, '--pretty', 'false', '-p', 'tsconfig.mutants.json'],
      { cwd: dir, maxBuffer: 2 ** 28 },
      (error, stdout) => (error === null || stdout.includes(': error ') ? done(stdout) : fail(error)),
    )
  })
