/** Stands in for OpenAI, so that the example needs no key: asks for the region, books, and says so. */
import { modelEmulator } from '../../src/testing/index.ts'

const question = {
  tellaskContent: 'Before I book, one decision.',
  items: [{ id: 'region', text: 'Where should it run?', kind: 'choice', options: ['eu', 'us'] }],
}

const emulator = await modelEmulator()
emulator.next(
  { does: 'reply', pieces: [], calls: [{ id: 'ask', name: 'askHuman', args: [JSON.stringify(question)] }] },
  { does: 'reply', pieces: [], calls: [{ id: 'book', name: 'book', args: ['{"region":"eu"}'] }] },
  { does: 'reply', pieces: ['Your server', ' runs in eu.'] },
)
process.env['OPENAI_BASE_URL'] = emulator.url
process.env['OPENAI_API_KEY'] = 'not-a-real-key'

export const close = (): Promise<void> => emulator.close()
