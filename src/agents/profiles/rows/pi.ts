import type { AgentRow } from '../agent-row.ts'
import { NOT_ASKED, PROVIDER_KEYS } from './shared.ts'

export const pi: AgentRow = {
  name: 'pi',
  title: 'pi',
  maker: 'Earendil',
  programs: ['pi'],
  version: ['--version'],
  tried: '0.87.1',
  protocol: 'acp',
  command: {
    args: ['-p', '--mode', 'json'],
    directories: null,
    bare: { args: ['--no-extensions', '--no-skills', '--no-prompt-templates'], keeps: ['instructions'] },
    prints: 'pi',
    reportsCost: true,
    model: ['--model', '{model}'],
    effort: ['--thinking', '{effort}'],
    mcp: null,
  },
  acp: {
    start: {
      package: 'pi-acp',
      version: '0.0.34',
      integrity:
        'sha512-MrCp37UbpUzkTkzTIMJQf1RYrT+kr4fgGDGFoLmBN26UupuCZp0XxVIY+7XYsMo3yDnzDeZUJ0jPyM3Si6Bkkg==',
      entry: 'dist/index.js',
      programIn: 'PI_ACP_PI_COMMAND',
    },
    env: {},
    mode: null,
    reading: { mode: null, env: {}, meta: {} },
    model: 'session',
    effort: 'session',
    authenticate: null,
    bare: { keeps: ['instructions', 'hooks', 'skills'] },
    usage: 'none',
    reportsCost: false,
    continues: 'load',
    mcp: 'none',
    errorsIn: 'pi',
  },
  smallModels: [],
  signIn: {
    checks: [
      {
        kind: 'file',
        by: 'subscription',
        paths: ['$PI_CODING_AGENT_DIR/auth.json', '~/.pi/agent/auth.json'],
        holds: /"oauth"/,
      },
      {
        kind: 'file',
        by: 'key',
        paths: ['$PI_CODING_AGENT_DIR/auth.json', '~/.pi/agent/auth.json'],
        holds: /"type"/,
      },
      {
        kind: 'file',
        by: 'configuration',
        paths: ['$PI_CODING_AGENT_DIR/models.json', '~/.pi/agent/models.json'],
        holds: /"providers"/,
      },
      { kind: 'variables', by: 'key', names: PROVIDER_KEYS },
    ],
    fix: 'Run `pi` and use /login, or set the key of your provider.',
  },
  folders: ['~/.pi'],
  caution: { command: NOT_ASKED, acp: NOT_ASKED },
  resume: ['pi', '--session', '{session}'],
}
