import type { Settings } from './settings.ts'

/** The address of the page in links that chat apps show. The server registers its address when it listens. */
export type PageAddress = {
  toDialog(dialog: string): string
  /** The page itself; null where no address is set that works from elsewhere. */
  outside(): string | null
  /** Where platforms reach an account; null before the server listens. */
  toWebhook(account: string): string | null
  listensAt(url: string): void
}

export function pageAddress({ current }: Settings): PageAddress {
  let address = ''
  return {
    toDialog: (dialog) => `${current().server.origins[0] ?? address}/c/${encodeURIComponent(dialog)}`,
    outside: () => current().server.origins[0] ?? null,
    toWebhook(account) {
      const base = current().server.origins[0] ?? address
      return base === '' ? null : `${base}/v1/channels/${encodeURIComponent(account)}/webhook`
    },
    listensAt(url) {
      address = url
    },
  }
}
