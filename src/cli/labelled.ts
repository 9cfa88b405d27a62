/** What stands before a command. A full-width colon brings its own space. */
export const labelled = (label: string, rest: string): string => (label.endsWith('：') ? `${label}${rest}` : `${label} ${rest}`)
