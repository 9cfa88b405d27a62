import type { Files } from '../../ports/files.ts'
import type { PostgresConnection } from './postgres-connection.ts'

/** Bytes of files in the database, because a folder of one host is not there on the others. */
export function postgresFiles(connection: PostgresConnection, schema: string): Files {
  const now = 'extract(epoch FROM clock_timestamp())::float8 * 1000'
  return {
    async write(file, bytes) {
      const values = [file, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)]
      await connection.query(
        `INSERT INTO ${schema}.file (id, at, bytes) VALUES ($1, ${now}, $2) ON CONFLICT (id) DO UPDATE SET at = excluded.at, bytes = excluded.bytes`,
        values,
      )
    },
    async read(file) {
      // An id with U+0000 comes from a request and names no file.
      if (file.includes('\0')) return null
      const [found] = await connection.query<{ bytes: Buffer }>(`SELECT bytes FROM ${schema}.file WHERE id = $1`, [file])
      return found?.bytes ?? null
    },
    async remove(file) {
      await connection.query(`DELETE FROM ${schema}.file WHERE id = $1`, [file])
    },
    list: (after, limit) =>
      connection.query<{ file: string; at: number }>(`SELECT id AS file, at FROM ${schema}.file WHERE id > $1 ORDER BY id LIMIT $2`, [
        after,
        limit,
      ]),
  }
}
