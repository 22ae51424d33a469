/** Finds the images that a task refers to, in its workspace or beside its plan, and puts them where its worker can read them. */
import { copyFile, mkdir, open, realpath, stat } from 'node:fs/promises'
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { imageReferences } from '../core/planning/brief/nearby-files.ts'
import type { TaskSpec } from '../core/planning/plan.ts'
import { imageType, type ImageType } from '../lib/files/image-type.ts'
import { quoted } from '../lib/text/quoted.ts'

export interface TaskImages {
  /** Absolute, in its workspace. */
  readonly images: readonly string[]
  /** For its brief, one line each. */
  readonly notes: readonly string[]
}

export interface ImagePlaces {
  readonly workspace: string
  /** Its folder for what Bosun and it exchange; images from outside its workspace are copied there. */
  readonly outbox: string
  /** The user's work tree. */
  readonly repository: string
  /** Of the plan, from the root of the repository; absolute for one outside of it. */
  readonly planFolder: string
}

const MOST_IMAGES = 8
const MOST_BYTES = 5 * 1024 * 1024
const LONGEST_NAME = 200

export async function taskImages(spec: TaskSpec, places: ImagePlaces): Promise<TaskImages> {
  const images: string[] = []
  const notes: string[] = []
  for (const path of imageReferences(spec)) {
    const name = quoted(path, LONGEST_NAME)
    const found = await findImage(path, places)
    if (found === null) continue
    if (typeof found === 'string') notes.push(`The image ${name} is left out: ${found}.`)
    else if (images.length === MOST_IMAGES)
      notes.push(`The image ${name} is left out: a task has at most ${MOST_IMAGES}.`)
    else {
      const image = await broughtIn(found, { at: images.length + 1, places })
      images.push(image)
      notes.push(`The plan shows ${name}: open ${quoted(relative(places.workspace, image), LONGEST_NAME)}.`)
    }
  }
  return { images, notes }
}

interface FoundImage {
  readonly path: string
  readonly type: ImageType
  readonly isOutside: boolean
}

/** Null where there is no such file; why it cannot be used, where there is. */
async function findImage(
  path: string,
  { workspace, repository, planFolder }: ImagePlaces,
): Promise<FoundImage | string | null> {
  // A plan may lie outside of the repository.
  const beside = isAbsolute(planFolder) ? planFolder : repository
  const places = [
    [workspace, workspace],
    [workspace, join(workspace, planFolder)],
    [beside, resolve(repository, planFolder)],
    [repository, repository],
  ] as const
  for (const [root, folder] of places) {
    const file = await insideOf(root, resolve(folder, path))
    if (file === null) continue
    const type = await typeOf(file)
    return 'why' in type ? type.why : { path: file, ...type, isOutside: root !== workspace }
  }
  return null
}

/** The file itself, whatever links lead to it; null where it is not there, or outside of the folder. */
async function insideOf(root: string, path: string): Promise<string | null> {
  try {
    const [folder, file] = await Promise.all([realpath(root), realpath(path)])
    const isGit = relative(folder, file).split(sep).includes('.git')
    return file.startsWith(folder + sep) && !isGit ? file : null
  } catch {
    // Not there.
    return null
  }
}

/** Its type, or why it cannot be used. */
async function typeOf(path: string): Promise<{ readonly type: ImageType } | { readonly why: string }> {
  const found = await stat(path)
  if (!found.isFile()) return { why: 'it is not a file' }
  if (found.size > MOST_BYTES) return { why: `it is larger than ${MOST_BYTES / 1024 / 1024} MB` }
  await using file = await open(path, 'r')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0)
  const type = imageType(buffer.subarray(0, bytesRead))
  return type === null ? { why: 'it is not a PNG, JPEG, GIF or WebP file' } : { type }
}

/** An image from the user's work tree is copied. */
async function broughtIn(
  { path, type, isOutside }: FoundImage,
  { at, places: { outbox } }: { readonly at: number; readonly places: ImagePlaces },
): Promise<string> {
  if (!isOutside) return path
  const copy = join(outbox, 'images', `${at}-${basename(path, extname(path)).slice(0, 60)}.${type.slice(6)}`)
  await mkdir(dirname(copy), { recursive: true })
  await copyFile(path, copy)
  return copy
}
