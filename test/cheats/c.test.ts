import { C } from './c.ts'
import { cheatsAreRefused } from './refused.ts'

cheatsAreRefused(C)
