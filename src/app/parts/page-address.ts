import type { Settings } from './settings.ts'

/** The address of the page in links that chat apps show. The server registers its address when it listens. */
export type PageAddress = {
  toDialog(dialog: string): string
  listensAt(url: string): void
}

export function pageAddress({ current }: Settings): PageAddress {
  let address = ''
  return {
    toDialog: (dialog) => `${current().server.origins[0] ?? address}/c/${encodeURIComponent(dialog)}`,
    listensAt(url) {
      address = url
    },
  }
}
