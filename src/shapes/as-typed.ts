/** Replaces `parley` in the commands that a text names by the words that start it where the reader is. */
export const asTyped = (text: string, commandName: string): string =>
  commandName === 'parley' ? text : text.replace(/(?<![\w./-])parley (?=[a-z])/g, `${commandName} `)
