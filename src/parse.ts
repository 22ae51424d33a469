/** The process that parses, alone: `bosun parse`. */
import { parseMain } from './parsing/parse-main.ts'

parseMain()
