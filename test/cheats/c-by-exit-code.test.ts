import { QUIET_C } from './c-quiet.ts'
import { cheatsAreRefused } from './refused.ts'

cheatsAreRefused(QUIET_C)
