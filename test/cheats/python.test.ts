import { PYTHON } from './python.ts'
import { cheatsAreRefused } from './refused.ts'

cheatsAreRefused(PYTHON)
