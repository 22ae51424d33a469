/** What the client answers an agent: requests for permission, and files for agents that go through the client. */
import * as acp from '@agentclientprotocol/sdk/unstable'
import { FileRefused, readFileSchema, readTextFile, writeFileSchema, writeTextFile } from './client-files.ts'
import { permissionParamsSchema, type PermissionParams } from './updates.ts'

export interface ClientParts {
  /** Folders that may be read; the first may be written. */
  readonly roots: readonly string[]
  readonly workspace: string
  /** Nothing may be written. */
  readonly isReadOnly?: boolean
  readonly onPermission: (
    params: PermissionParams,
    signal: AbortSignal,
  ) => Promise<acp.RequestPermissionResponse>
}

export function clientApp({
  roots,
  workspace,
  isReadOnly = false,
  onPermission,
}: ClientParts): acp.ClientApp {
  return acp
    .client({ name: 'bosun' })
    .onRequest('session/request_permission', permissionParamsSchema, ({ params, signal }) =>
      onPermission(params, signal),
    )
    .onRequest('fs/read_text_file', readFileSchema, async ({ params }) => ({
      content: await readTextFile(roots, params),
    }))
    .onRequest('fs/write_text_file', writeFileSchema, async ({ params: { path, content } }) => {
      if (isReadOnly) throw new FileRefused('nothing may be written here')
      await writeTextFile(roots[0] ?? workspace, path, content)
      return {}
    })
}
