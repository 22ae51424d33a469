/** Modules that shadow those of Python, so that tests and their runner import the work instead. */
import { folderOf, normalPath } from '../../../languages/paths.ts'
import { covers } from '../../plan-alignment/expected-files.ts'
import type { Wire } from '../wire.ts'

/** Modules that tests and their runners import; shadowing others is harmless. */
const LIBRARY = new Set(
  `abc argparse ast asyncio bisect builtins calendar codecs collections configparser contextlib copy csv dataclasses
  datetime decimal difflib doctest enum errno faulthandler fnmatch fractions functools gc glob hashlib heapq importlib
  inspect io itertools json logging math numbers operator os pathlib pickle platform pprint queue random re shutil signal
  site socket sqlite3 statistics string struct subprocess sys sysconfig tempfile textwrap threading time timeit traceback
  types typing unittest uuid warnings weakref`.split(/\s+/),
)
/** Folders that test runners put first on the path. */
const ON_PATH = new Set(['', 'src', 'lib', 'python', 'test', 'tests'])

export const libraryShadowed: Wire = ({ path, family, file }, { spec }) => {
  if (family !== 'python' || file.kind !== 'added') return []
  const module = normalPath(path).replace(/(\/__init__)?\.py$/, '')
  const name = module.slice(module.lastIndexOf('/') + 1)
  if (!LIBRARY.has(name) || !ON_PATH.has(folderOf(module))) return []
  const isNamed = spec.files.create.some((pattern) => covers(pattern, path))
  return [
    {
      wire: 'library-shadowed',
      saw: `is imported instead of Python's own ${name}`,
      weight: isNamed ? 'review' : 'blocks',
      path,
      line: null,
      text: '',
    },
  ]
}
