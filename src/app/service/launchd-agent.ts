/** The daemon as an agent of launchd, for one user of macOS. */
import type { ServiceFacts } from './service-facts.ts'
import { marked } from './unit-mark.ts'

export const LAUNCHD_LABEL = 'bosun'

export function launchdAgent({ command, environment }: ServiceFacts): string {
  const args = ['/bin/sh', ...command].map((word) => `    <string>${escaped(word)}</string>`)
  const variables = Object.entries(environment).flatMap(([name, value]) => [
    `    <key>${escaped(name)}</key>`,
    `    <string>${escaped(value)}</string>`,
  ])
  return marked(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
      '<!-- @mark@ -->',
      '<plist version="1.0">',
      '<dict>',
      '  <key>Label</key>',
      `  <string>${LAUNCHD_LABEL}</string>`,
      '  <key>ProgramArguments</key>',
      '  <array>',
      ...args,
      '  </array>',
      '  <key>EnvironmentVariables</key>',
      '  <dict>',
      ...variables,
      '  </dict>',
      '  <key>RunAtLoad</key>',
      '  <true/>',
      '  <!-- One that was ended on purpose stays ended. -->',
      '  <key>KeepAlive</key>',
      '  <dict>',
      '    <key>SuccessfulExit</key>',
      '    <false/>',
      '  </dict>',
      '  <!-- Workers keep running without it. -->',
      '  <key>AbandonProcessGroup</key>',
      '  <true/>',
      '</dict>',
      '</plist>',
      '',
    ].join('\n'),
  )
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
