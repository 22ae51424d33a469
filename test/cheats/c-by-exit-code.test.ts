import { QUIET_C } from './c.ts'
import { cheatsAreRefused } from './refused.ts'

cheatsAreRefused(QUIET_C)
