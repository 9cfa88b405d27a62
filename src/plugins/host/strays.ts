import { ofPlugin } from './guard.ts'

/**
 * What a plugin left running may throw when nobody calls it any more: a timer, a promise nobody waits for. That would end
 * the process. Node says in whose name it ran, so it is reported like any other failure; everybody else's errors go
 * where they would have gone.
 */
export function catchStrays(): () => void {
  const capture = (error: Error): void => {
    const guard = ofPlugin.getStore()
    if (guard) return guard.stray(error)
    if (process.listenerCount('uncaughtException') > 0) return void process.emit('uncaughtException', error)
    console.error(error)
    process.exit(1)
  }
  const onRejection = (reason: unknown): void => {
    const guard = ofPlugin.getStore()
    if (guard) return guard.stray(reason)
    // Others who listen decide; without any, it is an error like one that was thrown.
    if (process.listenerCount('unhandledRejection') === 1) throw reason
  }
  const isFree = !process.hasUncaughtExceptionCaptureCallback()
  if (isFree) process.setUncaughtExceptionCaptureCallback(capture)
  process.on('unhandledRejection', onRejection)
  return () => {
    if (isFree) process.setUncaughtExceptionCaptureCallback(null)
    process.off('unhandledRejection', onRejection)
  }
}
