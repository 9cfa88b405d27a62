import { ofPlugin } from './guard.ts'

/**
 * Background work of a plugin may throw outside any call: a timer, a promise without a handler. That would end
 * the process. The async context names the plugin, so it is reported like any other failure; all other errors go
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
