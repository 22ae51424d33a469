/** What to do about a request that the guard refuses. */
import type { Refused } from './guard.ts'

export const GUARD_REMEDIES: Readonly<Record<Refused['status'], string>> = {
  400: 'Send the path as /openapi.json lists it, and a body with POST only.',
  401: 'Send `Authorization: Bearer` with the token of the state root, or open the page with: bosun open',
  403: 'Call it from the page that Bosun serves, or from a program that sends no Origin.',
  405: 'Use GET, HEAD or POST.',
  411: 'Send the whole body at once, with its Content-Length.',
  413: 'Send less: leave out logs and data, and name the files that hold them.',
  415: 'Send JSON as application/json, without an encoding.',
  417: 'Send it without Expect.',
  421: 'Call 127.0.0.1 or localhost, with the port of the daemon.',
}
