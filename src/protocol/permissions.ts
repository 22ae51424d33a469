/** Permissions that a person decided for a task or a whole plan. */
import { z } from 'zod'
import { timestamp, type Wire } from './answers.ts'
import { pageFields } from './paging.ts'

/** `GET /api/permissions` */
export const permissionsAnswer = z.strictObject({
  permissions: z.array(
    z.strictObject({
      /** For `revoke`: the item that was answered, prefixed with its plan if two plans use the same. */
      id: z.string(),
      plan: z.string(),
      repo: z.string(),
      item: z.string(),
      decision: z.enum(['allow', 'deny']),
      /** What equal requests would do. */
      what: z.string(),
      scope: z.enum(['task', 'plan']),
      /** Null for the whole plan. */
      task: z.string().nullable(),
      by: z.string(),
      /** Null where that was not recorded. */
      at: timestamp.nullable(),
    }),
  ),
  /** With a `limit`. */
  next: pageFields.next.optional(),
  total: pageFields.total.optional(),
})
export type PermissionsAnswer = Wire<typeof permissionsAnswer>

/** `POST /api/permissions/{id}/revoke` */
export const revokedPermissionAnswer = z.strictObject({ id: z.string(), plan: z.string() })
export type RevokedPermissionAnswer = Wire<typeof revokedPermissionAnswer>
