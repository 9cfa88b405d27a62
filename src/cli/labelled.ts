/** Joins a label and a command. A full-width colon needs no space. */
export const labelled = (label: string, rest: string): string => (label.endsWith('：') ? `${label}${rest}` : `${label} ${rest}`)
