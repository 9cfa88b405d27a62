/** Orders to a terminal (colours, titles, moves) are not words. */
// eslint-disable-next-line no-control-regex
const terminalOrder = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g

export const withoutTerminalOrders = (text: string): string => text.replace(terminalOrder, '')

/** One line as a terminal would show it in the end; what cannot be shown at all is marked as such. */
export function plainLine(line: string): string {
  return (
    withoutTerminalOrders(line)
      .replace(/(?<!\r)\r+$/, '')
      // Text after a carriage return overwrites the line, as in a terminal.
      .replace(/^[^]*\r/, '')
      // eslint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '\ufffd')
      .toWellFormed()
  )
}
