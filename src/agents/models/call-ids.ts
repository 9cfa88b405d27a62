import type { CallIdForm } from './profiles.ts'

const forms: Record<CallIdForm, RegExp> = { common: /^[a-zA-Z0-9_-]{1,64}$/, short: /^[a-zA-Z0-9]{9}$/ }

/** Gives the calls of one output ids that are unique in the epoch and have the form of the profile. */
export class CallIds {
  #form: CallIdForm
  #seed: string
  /** Null until an id is asked for: most replies have no calls. */
  #taken: Set<string> | null = null
  #given: Iterable<string>
  #made = 0

  /** `seed` names the generation, so that a repeated read makes the same ids. */
  constructor({ form, seed, taken }: { form: CallIdForm; seed: string; taken: Iterable<string> }) {
    this.#form = form
    this.#seed = seed
    this.#given = taken
  }

  /** The id that was given, if it is of the right form and free, or a new one. */
  take(given: string): string {
    const takenIds = (this.#taken ??= new Set(this.#given))
    const id = forms[this.#form].test(given) && !takenIds.has(given) ? given : this.#make(takenIds)
    takenIds.add(id)
    return id
  }

  #make(taken: ReadonlySet<string>): string {
    for (;;) {
      this.#made += 1
      const id = toId(this.#form, `${this.#seed}_${this.#made}`)
      if (!taken.has(id)) return id
    }
  }
}

/** A call id of the list in this form: itself if it has it, else one that follows from it. */
export const toCallId = (form: CallIdForm, call: string): string => (forms[form].test(call) ? call : toId(form, call))

function toId(form: CallIdForm, label: string): string {
  const plain = `call_${label}`
  if (forms[form].test(plain)) return plain
  const digits = hash(label).toString(36).padStart(11, '0')
  return form === 'short' ? digits.slice(-9) : `call_${digits}`
}

/** cyrb53: 53 well-mixed bits. Not a secret; it only has to differ for different labels. */
function hash(text: string): number {
  let [one, two] = [0xdeadbeef, 0x41c6ce57]
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    one = Math.imul(one ^ code, 2_654_435_761)
    two = Math.imul(two ^ code, 1_597_334_677)
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(two ^ (two >>> 13), 3_266_489_909)
  two = Math.imul(two ^ (two >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909)
  return 4_294_967_296 * (2_097_151 & two) + (one >>> 0)
}
