/** The process that owns a worker, alone: `bosun supervise <folder>`. */
import { superviseMain } from './agents/supervisor/supervise.ts'

void superviseMain(process.argv[3] ?? '')
