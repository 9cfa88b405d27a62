/** Chinese text keeps a space beside Latin letters, and none between two of its own characters. */
export const closeUp = (text: string): string => text.replaceAll(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '')
