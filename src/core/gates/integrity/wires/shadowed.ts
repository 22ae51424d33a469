/** Modules that stand before those of Python itself: tests and their runner then import the work instead. */
import { folderOf, normalPath } from '../../../languages/paths.ts'
import { covers } from '../../plan-alignment/expected-files.ts'
import type { FileWire } from '../wire.ts'

/** What tests and their runners import; a module of the project that is called like one of the rest harms nobody. */
const LIBRARY = new Set(
  `abc argparse ast asyncio bisect builtins calendar codecs collections configparser contextlib copy csv dataclasses
  datetime decimal difflib doctest enum errno faulthandler fnmatch fractions functools gc glob hashlib heapq importlib
  inspect io itertools json logging math numbers operator os pathlib pickle platform pprint queue random re shutil signal
  site socket sqlite3 statistics string struct subprocess sys sysconfig tempfile textwrap threading time timeit traceback
  types typing unittest uuid warnings weakref`.split(/\s+/),
)
/** Folders that runners put in front of the path. */
const ON_PATH = new Set(['', 'src', 'lib', 'python', 'test', 'tests'])

export const libraryShadowed: FileWire = ({ path, family, file }, { spec }) => {
  if (family !== 'python' || file.kind !== 'added') return []
  const module = normalPath(path).replace(/(\/__init__)?\.py$/, '')
  const name = module.slice(module.lastIndexOf('/') + 1)
  if (!LIBRARY.has(name) || !ON_PATH.has(folderOf(module))) return []
  const isNamed = spec.files.create.some((pattern) => covers(pattern, path))
  return [
    {
      wire: 'library-shadowed',
      saw: `is imported instead of Python's own ${name}`,
      weight: isNamed ? 'note' : 'blocks',
      path,
      line: null,
      text: '',
    },
  ]
}
