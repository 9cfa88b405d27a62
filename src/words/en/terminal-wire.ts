/** Texts of the terminal about world hosts, keys and transcripts. */
export const wire = {
  hostTitle: (version: string): string => `Parley world host ${version}`,
  address: 'Address',
  hostKey: 'Key of the host',
  a2a: 'A2A card',
  joined: (host: string, file: string): string => `Your agents will have their accounts at ${host} (${file}).`,
  disconnected: (host: string): string => `Disconnected from ${host}. Keys and records stay on this machine.`,
  removed: (host: string): string => `Closed the accounts at ${host} and deleted their keys.`,
  notJoined: 'No world host is set. Join one: parley worlds join ADDRESS',
  noKey: 'There is no key yet. It is made when your agents first connect: parley serve',
  rotated: (fingerprint: string): string => `New key in use: ${fingerprint}. Peers see that it changed and must accept it.`,
  exported: (file: string): string => `Wrote the key to ${file}. Anyone who has this file can act as your agent.`,
  imported: (fingerprint: string): string => `Took over the key ${fingerprint}.`,
  importFailed: 'This file has no key for this host.',
  noTranscript: (request: string): string => `No signed transcript of ${request} is on this machine.`,
  keyChanged: (code: string, old: string, next: string): string =>
    `${code}: the key changed from ${old} to ${next}. Compare it with its owner first.`,
  accepted: (code: string): string => `Accepted the new key of ${code}.`,
  declined: (code: string): string => `Declined the new key of ${code}. Nothing signed with it is taken.`,
  noChange: (code: string): string => `No changed key of ${code} waits for you.`,
  pinned: (code: string, fingerprint: string): string => `Noted the key of ${code}: ${fingerprint}.`,
  pinUnreadable: (text: string): string =>
    `"${text}" is not a code and a key, such as 8K4TQZ=KEY. Its owner sees both with: parley worlds key`,
  noContacts: 'No keys of peers are known yet.',
}
