/** The interview. What it takes is loaded with the first call, so that a daemon without one stays small. */
import type { Interviews } from '../../app/interview/interviews.ts'
import type { Door } from '../app.ts'
import { readBody, readQuery } from '../read-request.ts'
import type { Call, Routes } from '../routing.ts'

export function interviewRoutes(routes: Routes, { host }: Door): void {
  if (host.parts.openInterviews === undefined) return
  const pm = routes.under('/pm')
  const loaded = async (): Promise<Loaded> => {
    const [interviews, schemas, { findWorkTree }, { projectFolder }] = await Promise.all([
      host.interviews(),
      import('../../protocol/interview.ts'),
      import('../../config/repository.ts'),
      import('../../app/interview/project-folder.ts'),
    ])
    // What is known of a folder that is gone can still be read.
    const projectAt = async (repo: string): Promise<string> => (await findWorkTree(repo)) ?? repo
    const projectToStart = async (repo: string): Promise<string> => projectAt(await projectFolder(repo))
    return { interviews, schemas, projectAt, projectToStart }
  }

  pm.post('/start', async (c) => {
    const { interviews, schemas, projectToStart } = await loaded()
    const { repo, await_user_ms, type, scope, workflow, title, understood, ...asked } = await readBody(
      c,
      schemas.pmStartRequest,
    )
    const repository = await projectToStart(repo)
    const given = [type, scope, workflow, title, understood]
    const request = given.every((one) => one === undefined)
      ? undefined
      : {
          type: type ?? null,
          scope: scope ?? null,
          workflow: workflow ?? null,
          title: title ?? null,
          understood: understood ?? null,
        }
    return c.json(await interviews.start({ ...asked, request, repository, awaitUserMs: await_user_ms }))
  })

  pm.post('/chat', async (c) => {
    const { interviews, schemas, projectAt } = await loaded()
    const { repo, ...asked } = await readBody(c, schemas.pmChatRequest)
    return c.json(await interviews.chat({ ...asked, repository: await projectAt(repo) }))
  })

  pm.post('/abandon', async (c) => {
    const { interviews, schemas, projectAt } = await loaded()
    const { repo, ...asked } = await readBody(c, schemas.pmAbandonRequest)
    return c.json(await interviews.abandon({ ...asked, repository: await projectAt(repo) }))
  })

  pm.get('/chat', async (c) => {
    const { interviews, schemas, projectAt } = await loaded()
    const { repo, after } = readQuery(c, schemas.pmChatQuery)
    return c.json(await interviews.conversation({ repository: await projectAt(repo), after }))
  })

  pm.post('/upload', async (c) => {
    const { interviews, schemas, projectToStart } = await loaded()
    const { repo, ...asked } = await readBody(c, schemas.pmUploadRequest)
    return c.json(await interviews.upload({ ...asked, repository: await projectToStart(repo) }))
  })

  const ofRepository = async (c: Call): Promise<{ interviews: Interviews; repository: string }> => {
    const { interviews, schemas, projectAt } = await loaded()
    const { repo } = readQuery(c, schemas.pmQuery)
    return { interviews, repository: await projectAt(repo) }
  }

  pm.get('/preview/spec', async (c) => {
    const { interviews, repository } = await ofRepository(c)
    return c.json(await interviews.previewSpec({ repository }))
  })

  pm.get('/preview/outline', async (c) => {
    const { interviews, repository } = await ofRepository(c)
    return c.json(await interviews.outline({ repository }))
  })

  pm.post('/preview/action', async (c) => {
    const { interviews, schemas, projectAt } = await loaded()
    const { repo, ...asked } = await readBody(c, schemas.pmActionRequest)
    return c.json(await interviews.previewAction({ ...asked, repository: await projectAt(repo) }))
  })

  pm.get('/status', async (c) => {
    const { interviews, repository } = await ofRepository(c)
    return c.json(await interviews.status({ repository }))
  })
}

interface Loaded {
  readonly interviews: Interviews
  readonly schemas: typeof import('../../protocol/interview.ts')
  readonly projectAt: (repo: string) => Promise<string>
  readonly projectToStart: (repo: string) => Promise<string>
}
