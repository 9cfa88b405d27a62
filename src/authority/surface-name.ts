export type SurfaceWords = Readonly<Partial<Record<string, string>>>

/** A part of Parley, or a platform by its own name. */
export function surfaceName(via: string, surfaces: SurfaceWords): string {
  const known = Object.hasOwn(surfaces, via) ? surfaces[via] : undefined
  return known ?? (/^[a-z]+$/.test(via) ? `${via.charAt(0).toUpperCase()}${via.slice(1)}` : via)
}
