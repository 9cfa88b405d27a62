import type { PluginStorage } from '../host/plugin.ts'

/** Addresses remembered for one dialog. */
const mostPlaces = 20
const tries = 20

/** Which dialog is spoken at which place, and where else it is spoken. */
export type Places = {
  note(place: string, dialog: string): Promise<void>
  of(dialog: string): Promise<string[]>
  dialogAt(place: string): Promise<string | null>
  /** The others of the same dialog. */
  besides(place: string): Promise<string[]>
}

export function placesIn(storage: PluginStorage): Places {
  const read = async (key: string): Promise<{ value: unknown; rev: number }> => (await storage.get(key)) ?? { value: null, rev: 0 }

  async function write(key: string, change: (value: unknown) => unknown): Promise<void> {
    for (let tried = 0; tried < tries; tried += 1) {
      const { value, rev } = await read(key)
      const next = change(value)
      if (next === value || (await storage.put(key, next, rev))) return
    }
    throw new Error(`${key} was changed by others ${tries} times in a row.`)
  }

  const of = async (dialog: string): Promise<string[]> => getList((await read(`dialog/${dialog}`)).value)

  async function dialogAt(place: string): Promise<string | null> {
    const { value } = await read(`place/${place}`)
    return typeof value === 'string' ? value : null
  }

  return {
    of,
    async note(place, dialog) {
      await write(`dialog/${dialog}`, (value) => {
        const places = getList(value)
        return places.includes(place) ? value : [...places, place].slice(-mostPlaces)
      })
      await write(`place/${place}`, (value) => (value === dialog ? value : dialog))
    },
    dialogAt,
    async besides(place) {
      const dialog = await dialogAt(place)
      return dialog === null ? [] : (await of(dialog)).filter((other) => other !== place)
    },
  }
}

const getList = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])
