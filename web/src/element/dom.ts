type Given = Node | string | null | false

/** A node with what belongs to it. No text ever becomes markup on the way. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string | number | boolean | undefined> = {},
  ...inside: Given[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : String(value))
  node.append(...inside.filter((one) => one !== null && one !== false))
  return node
}
