const written = new WeakMap<object, string>()

/** JSON of something that never changes, made once for all who read it. */
export function toJson(value: object): string {
  let json = written.get(value)
  if (json === undefined) {
    json = JSON.stringify(value)
    written.set(value, json)
  }
  return json
}
