/**
 * A signal that aborts as soon as one of its sources does, with the same reason. `AbortSignal.any` holds its sources by weak
 * references, which made it one of the dearer steps of a turn; here plain listeners stay until `end` or for the life of the sources.
 */
export function joinSignals(sources: readonly AbortSignal[]): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController()
  const follow = ({ target }: Pick<Event, 'target'>): void => controller.abort((target as AbortSignal).reason)
  for (const source of sources) {
    if (source.aborted) follow({ target: source })
    else source.addEventListener('abort', follow, { once: true })
  }
  return {
    signal: controller.signal,
    end() {
      for (const source of sources) source.removeEventListener('abort', follow)
    },
  }
}
