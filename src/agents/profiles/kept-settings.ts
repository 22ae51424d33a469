/**
 * What in the folders of a known agent acts in its user's later sessions: settings, instructions, commands, extensions. A worker
 * may not change it. Each lies directly in a folder that the row of the agent names, since a folder above could be moved away.
 */

/** What Gemini CLI and Qwen Code, which came from it, have in common. */
const OF_GEMINI = '.env system.md trustedFolders.json agents commands extensions hooks policies skills'

/** Names by folder, by agent. */
const KEPT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  claude: {
    '~/.claude':
      'settings.json settings.local.json CLAUDE.md agents commands skills plugins hooks output-styles rules workflows local',
  },
  codex: {
    '~/.codex':
      'config.toml hooks.json hooks AGENTS.md AGENTS.override.md agents prompts skills rules plugins bin packages',
  },
  opencode: {
    '~/.config/opencode':
      'opencode.json opencode.jsonc config.json tui.json AGENTS.md agent agents command commands mode modes plugin plugins skill ' +
      'skills tool tools themes node_modules package.json',
    '~/.local/share/opencode': 'bin',
  },
  gemini: { '~/.gemini': `settings.json ${OF_GEMINI} GEMINI.md` },
  // It writes its settings when it begins a session.
  qwen: { '~/.qwen': `${OF_GEMINI} QWEN.md` },
  goose: {
    '~/.config/goose':
      'config.yaml .goosehints permission.yaml custom_providers declarative_providers prompts recipes skills agents memory plugins',
  },
  pi: {
    '~/.pi/agent':
      'settings.json models.json keybindings.json AGENTS.md CLAUDE.md SYSTEM.md APPEND_SYSTEM.md extensions skills prompts themes ' +
      'tools hooks bin npm git',
  },
}

export const keptOf = (agent: string): readonly string[] =>
  Object.entries(KEPT[agent] ?? {}).flatMap(([folder, names]) =>
    names.split(' ').map((name) => `${folder}/${name}`),
  )
