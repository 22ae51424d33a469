/** Files share the modules of their worker process, so what a module holds for one file is given back here. */
import { afterAll } from 'vitest'
import { removeTempFolders } from './temp-folder.ts'

afterAll(removeTempFolders)
