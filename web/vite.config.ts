/** How the page is built: `scripts/build-page.ts` calls it. Nothing is inlined as a script, since the page's CSP allows none. */
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { leaveOut } from './leave-out.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [leaveOut('page'), react(), tailwindcss()],
  build: {
    outDir: join(import.meta.dirname, '../dist/web'),
    emptyOutDir: true,
    // Small assets as data: URLs would be scripts and workers that the CSP refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  worker: { format: 'es', plugins: () => [leaveOut('worker')] },
})
