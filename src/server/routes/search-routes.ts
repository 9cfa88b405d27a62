import { z } from 'zod'
import { searchLimits } from '../../search/search-limits.ts'
import * as responses from '../../shapes/schemas/responses.ts'
import { line, pageQuery } from '../text.ts'
import { route } from './route.ts'

export const searchRoutes = () => [
  route({
    operation: 'search.find',
    summary: 'Search what people and agents said in the dialogs that the caller may read, the latest first',
    query: z.strictObject({
      q: line(searchLimits.chars).describe(
        'Words that are all in it, in any order, without case and accents. A word is found by its beginning; Chinese and other scripts without spaces anywhere.',
      ),
      ...pageQuery,
    }),
    status: 200,
    response: responses.searchPage,
    handle: ({ query, parley }) => parley.search(query),
  }),
]
