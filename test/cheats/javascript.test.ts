import { JAVASCRIPT } from './javascript.ts'
import { cheatsAreRefused } from './refused.ts'

cheatsAreRefused(JAVASCRIPT)
