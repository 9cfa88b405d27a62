/** The store for several processes, on one host or many. Needs the package `pg`. */
export { openPostgres, postgresStore } from './postgres-store.ts'
export type { PostgresOptions } from './postgres-store.ts'
