type Origin = 'refused' | 'failed' | 'bug'

/** code: [origin, HTTP status, what happened, what to do next]; `{name}` is filled in from the details. */
export type ErrorRows = Readonly<Record<string, readonly [Origin, number, string, string]>>
