/** What an open page shows as a notification of the browser, and an attached terminal as it can. */
import { z } from 'zod'

export const pageNotice = z.strictObject({
  /** The same in every page. */
  id: z.string(),
  title: z.string(),
  /** A line each. It may quote what a worker or a model wrote. */
  text: z.string(),
  /** Of the one thing that it is about; null where there are several. */
  link: z.string().nullable(),
})
export type PageNotice = Readonly<z.infer<typeof pageNotice>>
