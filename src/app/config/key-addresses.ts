import { ParleyError } from '../../errors.ts'
import { isRecord } from '../../shapes/record.ts'
import { readWritten } from './edit.ts'

/**
 * Refuses a change that sends a key that the file uses already to an address that did not get it before: a signed-in browser that
 * was stolen could read the key there. A key that was stored for the new address is not in the file yet.
 */
export function checkKeyAddresses(before: string, after: string): void {
  const known = new Set(listKeys(before).map(({ key, address }) => `${address} ${key}`))
  for (const { where, key, address } of listKeys(after))
    if (!known.has(`${address} ${key}`) && before.includes(key)) throw new ParleyError('key_for_other_address', { where })
}

type ModelKey = { where: string; key: string; address: string }

/** Models with a key and an address of their own. Those without one talk to their provider. */
function listKeys(text: string): ModelKey[] {
  const { models } = readWritten(text)
  return Object.entries(isRecord(models) ? models : {}).flatMap(([name, model]) => {
    const { apiKey: key, baseUrl } = isRecord(model) ? model : {}
    if (typeof key !== 'string' || typeof baseUrl !== 'string') return []
    return [{ where: `models.${name}.baseUrl`, key, address: URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl }]
  })
}
