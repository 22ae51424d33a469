/**
 * A number of 53 bits by which texts are told apart that nobody made to look alike: two hashes side by side, after FNV-1a.
 * Not for secrets, nor where somebody gains by two texts having the same.
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
