type Place = 'local' | 'tab'

const getArea = (place: Place): Storage => (place === 'local' ? localStorage : sessionStorage)

/** The browser's storage, which may be full, forbidden or hold anything: then things are simply not kept. */
export const storage = {
  get<Value>(place: Place, key: string): Value | null {
    try {
      const text = getArea(place).getItem(key)
      return text === null ? null : (JSON.parse(text) as Value)
    } catch {
      return null
    }
  },
  set(place: Place, key: string, value: unknown): void {
    try {
      if (value === null || value === '') getArea(place).removeItem(key)
      else getArea(place).setItem(key, JSON.stringify(value))
    } catch {
      // Full or forbidden: it lives as long as the page does.
    }
  },
}
