/** The person this page is signed in as, for texts that are made outside of components; null until it is known. */
export const currentReader: { id: string | null; name: string | null } = { id: null, name: null }
