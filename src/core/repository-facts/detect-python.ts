/** Commands of a Python repository, from its installer and its configured tools. */
import type { DetectedCommands, Listing } from './detect-commands.ts'

const TEST_FILE = /(^|\/)(test_[^/]+|[^/]+_test)\.py$/
/** Installers by lock file; `run` is the prefix that runs a command in the installed environment. */
const INSTALLERS = [
  { lock: 'uv.lock', setup: 'uv sync --frozen', run: 'uv run ' },
  { lock: 'poetry.lock', setup: 'poetry install --no-interaction', run: 'poetry run ' },
] as const

export function pythonCommands({ files, read }: Listing): Partial<DetectedCommands> | null {
  const project = read('pyproject.toml')
  const isPython =
    project !== null ||
    ['setup.py', 'setup.cfg', 'requirements.txt', 'tox.ini', 'pytest.ini'].some((name) => files.has(name))
  const hasTests = [...files].some((path) => TEST_FILE.test(path))
  if (!isPython && !hasTests) return null
  const settings = [project, read('setup.cfg'), read('tox.ini')].filter((text) => text !== null).join('\n')
  const required = [project, read('requirements.txt'), read('requirements-dev.txt')]
    .filter((text) => text !== null)
    .join('\n')
  const uses = (tool: string): boolean =>
    new RegExp(`^\\s{0,20}["']?${tool}\\b`, 'mi').test(required) || settings.includes(`[tool.${tool}`)
  const usesPytest =
    uses('pytest') ||
    files.has('pytest.ini') ||
    files.has('conftest.py') ||
    /^\[(tool:)?pytest/m.test(settings)
  const tool = INSTALLERS.find(({ lock }) => files.has(lock))
  const run = tool?.run ?? ''
  return {
    setup: tool?.setup ?? null,
    test: usesPytest ? `${run}pytest -v` : hasTests ? `${run}python3 -m unittest -v` : null,
    lint:
      uses('ruff') || files.has('ruff.toml') || files.has('.ruff.toml')
        ? `${run}ruff check .`
        : files.has('.flake8')
          ? `${run}flake8`
          : null,
    typecheck: uses('mypy') || files.has('mypy.ini') || /^\[mypy/m.test(settings) ? `${run}mypy .` : null,
  }
}
