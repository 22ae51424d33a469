/** Commands of a Python repository, from its installer and its configured tools. */
import type { DetectedCommands, Listing } from './detect-commands.ts'

const TEST_FILE = /(^|\/)(test_[^/]+|[^/]+_test)\.py$/

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
  const run = runnerOf(files)
  return {
    setup: setupOf(files),
    test: usesPytest ? `${run}pytest -v` : hasTests ? `${run}python3 -m unittest -v` : null,
    lint:
      uses('ruff') || files.has('ruff.toml') || files.has('.ruff.toml')
        ? `${run}ruff check .`
        : flake8(files, run),
    typecheck: uses('mypy') || files.has('mypy.ini') || /^\[mypy/m.test(settings) ? `${run}mypy .` : null,
  }
}

function flake8(files: ReadonlySet<string>, run: string): string | null {
  return files.has('.flake8') ? `${run}flake8` : null
}

/** The prefix that runs a command in the installed environment. */
function runnerOf(files: ReadonlySet<string>): string {
  if (files.has('uv.lock')) return 'uv run '
  return files.has('poetry.lock') ? 'poetry run ' : ''
}

function setupOf(files: ReadonlySet<string>): string | null {
  if (files.has('uv.lock')) return 'uv sync --frozen'
  return files.has('poetry.lock') ? 'poetry install --no-interaction' : null
}
