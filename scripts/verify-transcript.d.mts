export function verifyTranscript(
  text: string,
  known?: { keys?: Readonly<Record<string, string>>; heads?: readonly string[] },
): { fault: string | null; intent?: string; turns?: number; unsigned?: number; keys?: Record<string, string | null> }
