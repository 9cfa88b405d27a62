import { basePath } from './base-path.ts'
import { parleyClient } from '../../../src/client/index.ts'

/** The one client of this page; every part of it shares its connection, which is opened after the sign-in. */
export const client = parleyClient({ baseUrl: basePath, via: 'web' })
