/** What callers ask of an interview. */
import type { BegunWith } from '../../core/interview/begun-with.ts'
import type { Expertise, PreviewActionName } from '../../core/interview/states.ts'
import type { CallerVariables } from './interview-parts.ts'

export interface StartAsked {
  /** The project folder. */
  readonly repository: string
  readonly expertise?: Expertise | undefined
  /** The user's first message. */
  readonly text?: string | undefined
  /** What `start` understood of it; absent where it was not asked. */
  readonly request?: BegunWith | undefined
  /** Whether to continue the interview that an error ended, or to drop it. Absent: continue without a text, else keep it for later. */
  readonly resume?: boolean | undefined
  /** Waiting longer for the user than this is an error; absent: it waits for ever. */
  readonly awaitUserMs?: number | undefined
  readonly by?: string | undefined
  readonly environment?: CallerVariables | undefined
  /** The same call again has no further effect. */
  readonly key?: string | undefined
}

export interface ChatAsked {
  readonly repository: string
  readonly session_id: string
  /** May be empty where `answers` says something. */
  readonly message: string
  /** By the ids of the open questions. */
  readonly answers?: Readonly<Record<string, string>> | undefined
  readonly by?: string | undefined
  readonly environment?: CallerVariables | undefined
  readonly key?: string | undefined
}

export interface UploadAsked {
  readonly repository: string
  readonly markdown: string
  /** What `start` understood of it; absent where it was not asked. */
  readonly request?: BegunWith | undefined
  /** False drops an interview that can be continued; absent: it stays for later. */
  readonly resume?: false | undefined
  readonly by?: string | undefined
  readonly environment?: CallerVariables | undefined
  readonly key?: string | undefined
}

export interface AbandonAsked {
  readonly repository: string
  readonly by?: string | undefined
}

export interface ActionAsked {
  readonly repository: string
  readonly action: PreviewActionName
  /** Of the spec that the user has seen. */
  readonly spec_sha: string
  readonly by?: string | undefined
  readonly environment?: CallerVariables | undefined
}
