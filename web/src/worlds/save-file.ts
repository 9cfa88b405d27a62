/** Hands a text to the browser as a file. */
export function saveFile(text: string, type: string, fileName: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  Object.assign(document.createElement('a'), { href: url, download: fileName }).click()
  // The browser has read it by the next task.
  setTimeout(() => URL.revokeObjectURL(url))
}
