/**
 * Replaces each line break, with the white space around it, by one space. One pass over maximal runs: a pattern that
 * looks for the break inside the run is tried again at each of its characters, which takes quadratic time.
 */
export const joinLines = (text: string): string => text.replace(/\s+/g, (run) => (run.includes('\n') ? ' ' : run))
