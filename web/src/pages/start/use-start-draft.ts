/** The text, the files and the repository of the start page, kept in this browser until they are started. */
import { useState } from 'react'
import { clearDraft, readDraft, useDraft, writeDraft } from '../../ui/draft.ts'
import type { Attachment } from './request-draft.ts'

export const TEXT_DRAFT = 'start.text'
const REPO_DRAFT = 'start.repo'
const FILES_DRAFT = 'start.files'
/** Larger files are kept for this visit only: a browser keeps about 5 MB in all. */
const MOST_KEPT = 500_000

export interface StartDraft {
  readonly text: string
  readonly files: readonly Attachment[]
  readonly setFiles: (files: readonly Attachment[]) => void
  /** Empty before one was chosen. */
  readonly repo: string
  readonly setRepo: (repo: string) => void
  readonly clear: () => void
}

export function useStartDraft(): StartDraft {
  const [text] = useDraft(TEXT_DRAFT)
  const [repo, setRepo] = useDraft(REPO_DRAFT)
  const [files, setFilesHere] = useState(keptFiles)
  const setFiles = (next: readonly Attachment[]): void => {
    setFilesHere(next)
    const json = JSON.stringify(next)
    writeDraft(FILES_DRAFT, next.length === 0 || json.length > MOST_KEPT ? '' : json)
  }
  const clear = (): void => {
    clearDraft(TEXT_DRAFT)
    setFiles([])
  }
  return { text, files, setFiles, repo, setRepo, clear }
}

function keptFiles(): readonly Attachment[] {
  try {
    const kept: unknown = JSON.parse(readDraft(FILES_DRAFT) || '[]')
    return Array.isArray(kept) ? kept.filter(isAttachment) : []
  } catch {
    // Written by another version of the page.
    return []
  }
}

const isAttachment = (value: unknown): value is Attachment =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'name') === 'string' &&
  typeof Reflect.get(value, 'text') === 'string'
