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
    /\bpy\.?test\b/.test(`${settings}\n${required}`) ||
    files.has('pytest.ini') ||
    [...files].some((path) => /(^|\/)conftest\.py$/.test(path))
  const tool = INSTALLERS.find(({ lock }) => files.has(lock))
  const run = tool?.run ?? ''
  return {
    setup: tool?.setup ?? null,
    test: usesPytest || hasTests ? testCommand(files, run, usesPytest ? 'pytest' : 'unittest') : null,
    lint:
      uses('ruff') || files.has('ruff.toml') || files.has('.ruff.toml')
        ? `${run}ruff check .`
        : files.has('.flake8')
          ? `${run}flake8`
          : null,
    typecheck: uses('mypy') || files.has('mypy.ini') || /^\[mypy/m.test(settings) ? `${run}mypy .` : null,
  }
}

/**
 * An installer has put the checkout's own package into its environment. Without one, the package is imported from the checkout,
 * and not from wherever else it may be installed.
 */
function testCommand(files: Listing['files'], run: string, runner: 'pytest' | 'unittest'): string {
  if (run !== '') return runner === 'pytest' ? `${run}pytest -v` : `${run}python3 -m unittest -v`
  const hasSources = [...files].some((path) => /^src\/([^/]+\/__init__|[^/]+)\.py$/.test(path))
  return `${hasSources ? 'PYTHONPATH=src ' : ''}python3 -m ${runner} -v`
}
