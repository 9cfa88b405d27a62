import type { Settings } from './settings.ts'

/** The address of the page in links that chat apps show. The server registers its port when it listens. */
export type PageAddress = {
  toDialog(dialog: string): string
  listensOn(port: number): void
}

export function pageAddress({ current }: Settings): PageAddress {
  let port = 0
  return {
    toDialog: (dialog) => `${current().server.origins[0] ?? `http://127.0.0.1:${port}`}/c/${encodeURIComponent(dialog)}`,
    listensOn(taken) {
      port = taken
    },
  }
}
