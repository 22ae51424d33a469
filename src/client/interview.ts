/** The interview, as the command line calls it. */
import type {
  ConversationAnswer,
  PmAbandonRequest,
  PmActionRequest,
  PmChatRequest,
  PmStartRequest,
  PmStatus,
  PmUploadRequest,
  PreviewAnswer,
} from '../protocol/interview.ts'
import type { Daemon } from './daemon.ts'

type Calls = Pick<Daemon, 'get' | 'post'>

export const pmStart = (daemon: Calls, asked: PmStartRequest): Promise<PmStatus> =>
  daemon.post('/api/pm/start', { ...asked })

export const pmChat = (daemon: Calls, asked: PmChatRequest): Promise<PmStatus> =>
  daemon.post('/api/pm/chat', { ...asked })

export const pmUpload = (daemon: Calls, asked: PmUploadRequest): Promise<PmStatus> =>
  daemon.post('/api/pm/upload', { ...asked })

export const pmAction = (daemon: Calls, asked: PmActionRequest): Promise<PmStatus> =>
  daemon.post('/api/pm/preview/action', { ...asked })

export const pmAbandon = (daemon: Calls, asked: PmAbandonRequest): Promise<PmStatus> =>
  daemon.post('/api/pm/abandon', { ...asked })

export const pmPreview = (daemon: Calls, repo: string): Promise<PreviewAnswer> =>
  daemon.get('/api/pm/preview/spec', { repo })

export const pmStatus = (daemon: Calls, repo: string): Promise<PmStatus> =>
  daemon.get('/api/pm/status', { repo })

/** The messages after a position. */
export const pmConversation = (daemon: Calls, repo: string, after = 0): Promise<ConversationAnswer> =>
  daemon.get('/api/pm/chat', { repo, after })
