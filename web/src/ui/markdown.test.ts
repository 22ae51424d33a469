import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Markdown } from './markdown.tsx'

let component: typeof Markdown
beforeAll(async () => {
  // Drafts listen to other tabs as soon as they are loaded.
  vi.stubGlobal('addEventListener', () => undefined)
  component = (await import('./markdown.tsx')).Markdown
})
afterAll(() => void vi.unstubAllGlobals())

const rendered = (text: string): string => renderToStaticMarkup(createElement(component, { text }))

test('markdown of others is rendered without their HTML', () => {
  const html = rendered('**bold** <script>alert(1)</script> <img src=x onerror=alert(1)> <b onclick=x>b</b>')
  expect(html).toContain('<strong>bold</strong>')
  expect(html).not.toMatch(/<script|<img|onerror=|<b\b/)
})

test('an image is named, and never fetched', () => {
  const html = rendered('![a chart](https://evil.example/pixel.png)')
  expect(html).toContain('[image: a chart https://evil.example/pixel.png]')
  expect(html).not.toMatch(/<img|src=/)
})

test('a link is a button that asks, and what is no web address is text', () => {
  const html = rendered(
    '[guide](https://example.org/a) [run](javascript:alert(1)) [file](file:///etc/passwd) [here](/api/plans)',
  )
  expect(html).toMatch(/<button[^>]*title="https:\/\/example\.org\/a"[^>]*>guide<\/button>/)
  expect(html).not.toMatch(/href=|javascript:|file:/)
  expect(html).toContain('run')
})

test('characters that a reader does not see are written out', () => {
  expect(rendered('gnp\u202eexe')).toContain('gnp⟨U+202E⟩exe')
})
