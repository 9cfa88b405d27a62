/** The few functions that are used. The package is optional, so a clone without it has no types of its own. */
declare module 'unpdf' {
  export function getDocumentProxy(
    bytes: Uint8Array,
    options?: { verbosity?: number; isEvalSupported?: boolean },
  ): Promise<{
    numPages: number
    getPage(page: number): Promise<{ getTextContent(): Promise<{ items: { str?: string; hasEOL?: boolean }[] }>; cleanup(): void }>
  }>
}
