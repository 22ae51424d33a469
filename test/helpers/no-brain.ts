/** The brain of `brain.provider: none`. */
import { configuredBrain } from '../../src/brain/configured-brain.ts'
import { settingsSchema } from '../../src/core/settings/settings.ts'
import { SystemClock } from '../../src/lib/system/system-clock.ts'

export const noBrain = () =>
  configuredBrain({
    settings: settingsSchema.parse({ brain: { provider: 'none' } }),
    env: {},
    folder: '/',
    clock: new SystemClock(),
    usageFile: '/none',
    agent: () => Promise.reject(new Error('no agent is asked')),
  })
