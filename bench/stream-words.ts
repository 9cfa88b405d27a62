type Chunk = { choices: { delta: { content?: string } }[] }

/** The text in the reply of a model, a stream in the chat wire. */
export function toWords(stream: string): string {
  let words = ''
  for (const line of stream.split('\n')) {
    if (line.startsWith('data: {')) words += (JSON.parse(line.slice(6)) as Chunk).choices[0]?.delta.content ?? ''
  }
  if (words === '') throw new Error('the model said nothing')
  return words
}
