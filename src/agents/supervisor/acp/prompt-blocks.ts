/** A prompt as the protocol has it: its text, and its images where the agent takes any. */
import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { ContentBlock } from '@agentclientprotocol/sdk/unstable'
import { imageType } from '../../../lib/files/image-type.ts'

const MOST_BYTES = 5 * 1024 * 1024

/** `images` are paths. One that cannot be read any more is left out: the text names it all the same. */
export function promptBlocks(text: string, images: readonly string[]): ContentBlock[] {
  const attached = images.flatMap((path) => {
    const block = imageBlock(path)
    return block === null ? [] : [{ path, block }]
  })
  if (attached.length === 0) return [{ type: 'text', text }]
  const names = attached.map(({ path }) => basename(path)).join(', ')
  const note = `Images of the task are attached: ${names}.`
  return [{ type: 'text', text: `${text}\n\n${note}` }, ...attached.map(({ block }) => block)]
}

function imageBlock(path: string): ContentBlock | null {
  try {
    if (statSync(path).size > MOST_BYTES) return null
    const bytes = readFileSync(path)
    const mimeType = imageType(bytes)
    return mimeType === null ? null : { type: 'image', mimeType, data: bytes.toString('base64') }
  } catch {
    // Gone, or not readable.
    return null
  }
}
