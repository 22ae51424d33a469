/** The tools of a person's assistant: each is a command of this command line, and answers with its text. */
import { z } from 'zod'
import { tool, type Tool, type ToolAnswer } from '../mcp/tool.ts'
import { counted } from '../lib/text/counted.ts'
import { terminalText } from '../lib/text/terminal-text.ts'
import { deciderName, repoHere } from './caller.ts'
import type { Call } from './command.ts'
import { readAnswer } from './reading.ts'
import { startPlan, type Shown } from './plan/run-plan.ts'
import { styleOf } from './terminal/terminal.ts'
import { ALL_COMMANDS } from './all-commands.ts'

const text = z.string().max(20_000)
const document = z.string().min(1).max(1_000_000)
const name = z.string().min(1).max(200)
const path = z.string().min(1).max(4096)

export function assistantTools(call: Call): readonly Tool[] {
  const run = async ({ run }: Runnable, input: Input): Promise<ToolAnswer> => {
    const messages: string[] = []
    return answerOf(await run(callWith(call, input, messages)), messages)
  }
  /** Decisions are the user's; the log tells that an assistant brought them. */
  const by = async (): Promise<string> => `${(await deciderName(call)).slice(0, 180)} (by MCP)`
  return [
    tool({
      name: 'status',
      description: 'Plans, tasks, workers and what needs the user.',
      input: z.object({}),
      isReadOnly: true,
      call: () => run(command('status'), {}),
    }),
    tool({
      name: 'inbox',
      description: 'What the user has to decide, with options; one item with its diff and evidence by id.',
      input: z.object({ id: name.optional() }),
      isReadOnly: true,
      call: ({ id }) => run(command('inbox'), { args: [id] }),
    }),
    tool({
      name: 'answer',
      description: 'Answer an inbox item. Decide only what the user told you; ask them first.',
      input: z.object({
        id: name,
        choice: name,
        feedback: text.optional(),
        reason: text.optional().describe('to override a gate or accept a risk'),
      }),
      call: async ({ id, choice, feedback, reason }) =>
        run(command('answer'), { args: [id, choice], options: { feedback, reason, by: await by() } }),
    }),
    tool({
      name: 'plan',
      description: 'Check a plan file: tasks, order, gates and problems. Runs nothing.',
      input: z.object({ file: path }),
      isReadOnly: true,
      call: ({ file }) => run(command('plan'), { args: [file] }),
    }),
    tool({
      name: 'plan_text',
      description: 'A plan that you wrote (YAML or Markdown), without a file: checked, or also started.',
      input: z.object({ text: document, run: z.boolean().default(false) }),
      call: ({ text: stdin, run: isRun }) =>
        run(isRun ? { run: startPlan } : command('plan'), { args: ['-'], stdin }),
    }),
    tool({
      name: 'start',
      description:
        'Start from a request in words (or a file path): understood, then planned and run. Returns at once.',
      input: z.object({
        request: z.string().min(1).max(200_000),
        type: z.enum(['new_project', 'feature_request', 'bug_fix']).optional(),
        scope: z.enum(['trivial', 'small', 'medium', 'large']).optional(),
        workflow: z.enum(['fix', 'direct', 'light', 'planned', 'project']).optional(),
      }),
      call: async ({ request, type, scope, workflow }) => {
        const { startWithoutFollowing } = await import('./start/start-request.ts')
        return run({ run: startWithoutFollowing }, { args: [request], options: { type, scope, workflow } })
      },
    }),
    tool({
      name: 'interview',
      description:
        'Turn an idea into a spec and a plan. Without input it shows what is open. Pass on only what the user said.',
      input: z.object({
        text: text.optional().describe('begins one, or answers it'),
        answers: z.record(name, text).optional().describe('fields of a form'),
        action: z.enum(['continue', 'submit', 'resume', 'abandon']).optional(),
      }),
      call: async (step) => {
        const [{ takeInterviewStep }, decider] = await Promise.all([
          import('./interview/interview-tool.ts'),
          by(),
        ])
        return run({ run: (inner) => takeInterviewStep(inner, step, decider) }, {})
      },
    }),
    tool({
      name: 'spec',
      description:
        'The spec that waits in preview; or with `markdown` one that you wrote: checked, or put there.',
      input: z.object({ markdown: document.optional(), upload: z.boolean().default(false) }),
      call: async ({ markdown, upload }) => {
        if (markdown !== undefined && !upload)
          return run(command('spec'), { args: ['check', '-'], stdin: markdown })
        const [{ previewedSpec }, decider] = await Promise.all([
          import('./interview/interview-tool.ts'),
          by(),
        ])
        return run({ run: (inner) => previewedSpec(inner, markdown, decider) }, {})
      },
    }),
    tool({
      name: 'run',
      description: 'Start a plan file. Returns at once; follow it with status and inbox.',
      input: z.object({ plan: path, design: path.optional() }),
      call: ({ plan, design }) => run({ run: startPlan }, { args: [plan], options: { design } }),
    }),
    tool({
      name: 'pm_instruct',
      description: 'Send an instruction to a running worker.',
      input: z.object({
        to_agent: name.describe('worker id, see status'),
        instruction_type: z
          .enum(['continue', 'pause', 'revise', 'abort', 'expand_scope', 'reduce_scope'])
          .optional(),
        instructions: z.string().max(4000).default(''),
        context: z
          .strictObject({
            files: z.array(path).max(200).optional(),
            criteria: z.array(z.string()).max(100).optional(),
          })
          .optional()
          .describe('with expand_scope, reduce_scope: what its contract gains or loses'),
        id: name.optional().describe('your own id; repeated, it counts once'),
      }),
      call: ({ to_agent, instruction_type: type, instructions, context, id }) =>
        run(command('worker'), {
          args: ['instruct', to_agent, instructions],
          options: { type, id },
          lists: { ...context },
        }),
    }),
    tool({
      name: 'release',
      description: 'The manifest of a finished plan (show), or check it against the repository (verify).',
      input: z.object({ action: z.enum(['show', 'verify']).default('show'), plan: name }),
      isReadOnly: true,
      call: ({ action, plan }) => run(command('release'), { args: [action, plan] }),
    }),
    tool({
      name: 'log',
      description: `What happened, newest last; at most ${MOST_LOG_LINES} lines.`,
      input: z.object({
        since: name.optional().describe('30m, 2h, 1d or a date'),
        worker: name.optional(),
        event: name.optional().describe('such as gate_failed'),
      }),
      isReadOnly: true,
      call: async (options) => {
        const { text: lines, ...rest } = await run(command('log'), { options })
        return {
          ...rest,
          text: lines
            .split('\n')
            .slice(-MOST_LOG_LINES - 1)
            .join('\n'),
        }
      },
    }),
    tool({
      name: 'diff',
      description: 'What a task changes: what landed, is proposed or is written so far.',
      input: z.object({ task: name.describe('its id, or PLAN/ID') }),
      isReadOnly: true,
      call: ({ task }) => run({ run: diffOfTask }, { args: [task] }),
    }),
  ]
}

const MOST_LOG_LINES = 200

function command(name: string): Runnable {
  const found = ALL_COMMANDS.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no command ${name}`)
  return found
}

async function diffOfTask(call: Call): Promise<Shown> {
  const [name = ''] = call.args
  const [id = '', plan] = name.split('/', 2).toReversed()
  const asked = { id, plan, repo: await repoHere(call) }
  const { answer } = await readAnswer(call, '/api/tasks/{id}/diff', asked)
  const { of, files, notes, patch, is_cut: isCut, command } = answer
  const lines = [
    `${of.replace('_', ' ')}: ${counted(files.length, 'file')}`,
    ...files.map(({ path, change, added, removed }) => `${change} ${path} +${added} -${removed}`),
    ...notes.map(
      ({ path, line, by, text: note }) => `${path}${line === null ? '' : `:${line}`} ${by}: ${note}`,
    ),
    ...(isCut && command !== null ? [`cut; all of it: ${command}`] : []),
  ]
  return { exit: 'ok', text: () => `${terminalText([...lines, patch].join('\n'))}\n` }
}

interface Runnable {
  readonly run: (call: Call) => Promise<Shown>
}

interface Input {
  readonly args?: Call['args']
  readonly options?: Readonly<Record<string, string | undefined>>
  readonly lists?: Readonly<Record<string, readonly string[] | undefined>>
  /** What the command reads where it is called with `-`. */
  readonly stdin?: string
}

/** Standard input and output belong to the protocol, so a command gets its input from the tool and prints into its answer. */
function callWith(
  { terminal, services }: Call,
  { args = [], options = {}, lists = {}, stdin = '' }: Input,
  messages: string[],
): Call {
  const plain = styleOf('plain')
  return {
    terminal: {
      ...terminal,
      input: 'other',
      output: 'other',
      width: 120,
      style: plain,
      messageStyle: plain,
      printMessage: (text) => void messages.push(text),
      print: async (text) => {
        messages.push(text)
        return 'written'
      },
      readInput: async () => new TextEncoder().encode(stdin),
    },
    services,
    args,
    option: (key) => options[key],
    all: (key) => lists[key] ?? [],
    flag: () => false,
    json: false,
    mayAsk: false,
  }
}

const answerOf = ({ exit, text: textOf }: Shown, messages: readonly string[]): ToolAnswer => ({
  text: `${messages.join('')}${textOf(styleOf('plain'))}`,
  isError: exit === 'failed',
})
