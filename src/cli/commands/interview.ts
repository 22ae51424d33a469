import type { CommandDefinition } from '../command.ts'

export const interviewCommand: CommandDefinition = {
  name: 'interview',
  summary: 'turn an idea into a spec and a plan, by questions',
  options: [
    { syntax: '--text <text>', help: 'what you want, in a sentence or more' },
    { syntax: '--expertise <level>', help: 'how it asks: non_technical, basic (the default) or expert' },
    { syntax: '--resume', help: 'continue an interview that ended with an error' },
    { syntax: '--yes', help: 'create the git repository or the first commit that a new project lacks' },
    { syntax: '--new', help: 'begin anew; an open or earlier one is dropped' },
    { syntax: '--abandon', help: 'end the open interview; nothing of it goes on' },
  ],
  examples: [
    { line: 'bosun interview', what: 'start one, or continue the open one; Ctrl-C leaves it open' },
    { line: 'bosun interview --text "add a dark mode toggle"', what: 'start with what you want' },
    { line: 'bosun interview --no-input', what: 'print the open question and exit with 10' },
    { line: 'bosun interview --json', what: 'the state of the interview as JSON' },
    { line: 'bosun interview < answers.txt', what: 'field by field, an empty line after each' },
    { line: 'bosun interview --abandon', what: 'end the open one' },
  ],
  detaches: true,
  async run(call) {
    const { runInterview } = await import('../interview/run-interview.ts')
    return runInterview(call)
  },
}
