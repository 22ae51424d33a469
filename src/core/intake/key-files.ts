/** Files that usually hold keys. No model is shown what is in them. */
import { nameOf } from '../languages/paths.ts'

const KEY_FILE =
  /^(\.env(\..+)?|\.netrc|\.npmrc|\.pypirc|id_(rsa|dsa|ecdsa|ed25519)|.+\.(pem|key|p12|pfx|keystore))$/i
const KEY_EXAMPLE = /^\.env\.(example|sample|template|dist)$/i

export function mayHoldKeys(path: string): boolean {
  const name = nameOf(path)
  return KEY_FILE.test(name) && !KEY_EXAMPLE.test(name)
}
