/** The name of the person this page is signed in as, for texts that are made outside of components; null until it is known. */
export const currentReader: { name: string | null } = { name: null }
