/** True for `postgres://` and `postgresql://` addresses. */
export const isPostgresUrl = (url: string): boolean => /^postgres(ql)?:\/\//.test(url) && URL.canParse(url)

/** The message does not repeat the address: it may hold a password. */
export function assertPostgresUrl(url: string): void {
  if (!isPostgresUrl(url)) throw new TypeError('The address of PostgreSQL must look like postgres://user:password@host:5432/database')
}

/** Server and database for people, without user, password and parameters. */
export function describePostgresUrl(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname || (searchParams.get('host') ?? 'localhost')
  return `${host}${port ? `:${port}` : ''}${pathname === '' ? '/' : pathname}`
}

/** Parts of the address that no log may show. */
export function listUrlSecrets(url: string): string[] {
  if (!isPostgresUrl(url)) return []
  const { password, searchParams } = new URL(url)
  const decoded = new URLSearchParams(`p=${password.replaceAll('+', '%2B')}`).get('p')
  return [url, password, decoded ?? '', searchParams.get('password') ?? ''].filter((text) => text !== '')
}
