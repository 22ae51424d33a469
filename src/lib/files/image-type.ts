/** The type of an image by its first bytes; null for anything else, whatever its name says. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

export function imageType(bytes: Buffer): ImageType | null {
  const text = (from: number, to: number): string => bytes.toString('latin1', from, to)
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png'
  if (bytes.length > 3 && bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg'
  if (text(0, 6) === 'GIF87a' || text(0, 6) === 'GIF89a') return 'image/gif'
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'image/webp'
  return null
}
