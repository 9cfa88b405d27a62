/** Result of a tool with files besides its text. Files are stored, and shown to people and to models that take them. */
export class OutputWithFiles {
  readonly text: string
  readonly files: readonly ReturnedFile[]

  constructor(text: string, files: readonly ReturnedFile[]) {
    this.text = text
    this.files = files
  }
}

export type ReturnedFile = { name: string; bytes: Uint8Array }
