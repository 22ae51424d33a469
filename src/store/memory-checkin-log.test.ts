import { describeCheckinLog } from '../../test/conformance/checkin-log.conformance.ts'
import { MemoryCheckinLog } from './memory-checkin-log.ts'

describeCheckinLog('check-ins in memory', async () => {
  return { log: new MemoryCheckinLog(), reopen: null, dispose: async () => undefined }
})
