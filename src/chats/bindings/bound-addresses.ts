import type { Store } from '../../ports/store.ts'
import { inboundViews, type PlaceView } from './binding-kind.ts'

/** Addresses of one dialog that are read at once. */
const addressesRead = 50

/** The addresses that are bound to a dialog. */
export async function findBoundAddresses(store: Pick<Store, 'rows'>, dialog: string): Promise<PlaceView[]> {
  const rows = await store.rows({ view: inboundViews.places, group: dialog, limit: addressesRead })
  return rows.map(({ body }) => body as PlaceView)
}
