// Loaded before `parley serve`: the time of day of this process is that of the machine plus the milliseconds in a file.
// Timers are not affected, as on a machine whose clock is set.
import { readFileSync } from 'node:fs'

const file = process.env['PARLEY_CHAOS_CLOCK'] ?? ''
const machineNow = Date.now
let aheadMs = 0

function read(): void {
  try {
    aheadMs = Number(readFileSync(file, 'utf8')) || 0
  } catch {
    aheadMs = 0
  }
}

if (file !== '') {
  read()
  setInterval(read, 100).unref()
  Date.now = () => machineNow() + aheadMs
}
