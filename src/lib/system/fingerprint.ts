/**
 * A 53-bit hash that tells texts apart: two FNV-1a-like hashes side by side.
 * Not for secrets, nor where an attacker gains from a collision.
 */
export function fingerprint(text: string): number {
  let one = 0x811c9dc5
  let other = 0x9747b28c
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other ^ code, 0x85ebca6b)
    other ^= other >>> 13
  }
  return (one >>> 0) * 0x200000 + (other >>> 11)
}
