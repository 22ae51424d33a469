import { describe, expect, test } from 'vitest'
import { compareApis, type PlacedSymbol } from './compare.ts'
import { loadTestParser } from '../../../../test/helpers/test-parser.ts'
import { readPython } from './python.ts'

const parser = await loadTestParser('py')
const read = (text: string, path: string) => readPython(parser.tree(path, text), path)

const signatures = (text: string, path = 'a.py'): string[] =>
  read(text, path).symbols.map(({ signature }) => signature)

describe('public names of a module are read', () => {
  test.each<[string, string, string[]]>([
    [
      'a function',
      'def a(b, c: int = 1, *d, e: str, f=2, **g) -> bool:\n    pass',
      ['a(b, c: int = …, *d, e: str, f = …, **g) -> bool'],
    ],
    ['only by place, only by name', 'def a(b, /, c, *, d): ...', ['a(b, c, *, d)']],
    ['an async function', 'async def a() -> None: ...', ['async a() -> None']],
    [
      'a signature over several lines',
      'def a(\n    b: "Dict[str, int]",  # why, not\n    c: Callable[[int, str], None] = lambda d, e: None,\n) -> (\n    Optional[int]\n):\n    return 1',
      ['a(b: Dict[str, int], c: Callable[[int, str], None] = …) -> (Optional[int])'],
    ],
    [
      'overloads',
      '@overload\ndef a(b: int) -> int: ...\n@typing.overload\ndef a(b: str) -> str: ...\ndef a(b): return b',
      ['a(b: int) -> int', 'a(b: str) -> str'],
    ],
    [
      'values',
      'A = 1\nb: int = 2\nc = d = 3\ne, f = 4, 5\ng.h = 6\ni[0] = 7\n_j = 8',
      ['A', 'b: int', 'c', 'd', 'e', 'f'],
    ],
    [
      'what is behind a condition',
      'if x:\n    def a(): ...\nelse:\n    def b(): ...\ntry:\n    C = 1\nexcept E:\n    C = 2',
      ['a()', 'b()', 'C'],
    ],
    ['a type', 'type A[T] = list[T]', ['type A = list[T]']],
    ['generics', 'def a[T: int](b: T) -> T: ...', ['a(b: T) -> T']],
    [
      'a class',
      'class A(B, metaclass=C):\n    """def no(): pass"""\n    d: int\n    e = 1\n    _f = 2\n    def __init__(self, g: int) -> None:\n        self.h = g\n        def i(): pass\n    def j(self): ...\n    def _k(self): ...\n    def __repr__(self): ...\n    def __call__(self, l): ...\n    @staticmethod\n    def m(n): ...\n    @classmethod\n    def o(cls, p): ...\n    @property\n    def q(self) -> int: ...\n    @property\n    def r(self) -> int: ...\n    @r.setter\n    def r(self, v): ...\n    @abc.abstractmethod\n    async def s(self): ...\n    class T:\n        def u(self): ...\n',
      [
        'class A(B)',
        'A.d: int',
        'A.e',
        'A.__init__(g: int) -> None',
        'A.j()',
        'A.__call__(l)',
        'staticmethod A.m(n)',
        'classmethod A.o(p)',
        'A.q: int',
        'A.r: int',
        'async abstract A.s()',
        'class A.T',
        'A.T.u()',
        'A.T.__init__()',
      ],
    ],
    [
      'a dataclass',
      '@dataclass(frozen=True)\nclass A:\n    b: int\n    c: str = "x"\n    d: list[int] = field(default_factory=list)\n    e: ClassVar[int] = 1\n    f: int = field(init=False)\n    _: KW_ONLY\n    g: int',
      [
        'class A',
        'A.b: int',
        'A.c: str',
        'A.d: list[int]',
        'A.e: ClassVar[int]',
        'A.f: int',
        'A.g: int',
        'A.__init__(b: int, c: str = …, d: list[int] = …, *, g: int)',
      ],
    ],
    [
      'what is named, and nothing else',
      '__all__ = ["a", "B"]\n__all__ += ["c"]\ndef a(): ...\ndef z(): ...\nclass B:\n    def d(self): ...',
      ['a()', 'class B', 'B.d()', 'B.__init__()', 'c'],
    ],
    ['an underscore that is named', '__all__ = ["_a"]\ndef _a(): ...', ['_a()']],
    ['no text and no comment', "'''\ndef a(): ...\n'''\n# def b(): ...\nx = 'def c(): ...'", ['x']],
    ['a line that goes on', 'a = \\\n  1\ndef b(): ...', ['a', 'b()']],
  ])('%s', (_title, text, expected) => {
    expect(signatures(text)).toEqual(expected)
  })
})

test('a package passes on what it takes from its own modules', () => {
  const text = 'from .a import b, c as d, _e\nfrom os import path\nfrom . import f\nfrom .g import *'
  const passedOn = (path: string) => read(text, path).passedOn.map(({ name, from }) => `${name} of ${from}`)
  expect(passedOn('p/__init__.py')).toEqual(['b of .a', 'd of .a', 'f of .', '* of .g'])
  expect(passedOn('p/h.py')).toEqual([])
})

describe('names of parameters are part of the contract', () => {
  const placed = (text: string): PlacedSymbol[] =>
    read(text, 'a.py').symbols.map((symbol) => ({ ...symbol, unit: 'a.py', file: 'a.py' }))
  test.each<[string, string, string, string[]]>([
    ['another name', 'a(b)', 'a(c)', ['no longer takes b', 'needs the new parameter c']],
    ['another name of what is passed by place', 'a(b, /)', 'a(c, /)', []],
    ['by name only', 'a(b)', 'a(*, b)', ['b can only be passed by name']],
    ['by place only', 'a(b)', 'a(b, /)', ['b can no longer be passed by name']],
    ['a new one that is needed by name', 'a(b)', 'a(b, *, c)', ['needs the new parameter c']],
    ['a new one that is optional now', 'a(b)', 'a(b, *, c=1)', []],
    ['a new one at the end', 'a(b)', 'a(b, c=1)', []],
    ['a new one before', 'a(b)', 'a(c=1, b=2)', ['b is at another position']],
    ['another order', 'a(b, c)', 'a(c, b)', ['its parameters are reordered: c, b instead of b, c']],
    ['another order of names', 'a(*, b, c)', 'a(*, c, b)', []],
    ['one that was removed', 'a(b, c=1)', 'a(b)', ['no longer takes c']],
    ['one that is a rest argument now', 'a(b, *, c=1)', 'a(b, **c)', []],
    ['a default that was removed', 'a(b=1)', 'a(b)', ['b is no longer optional']],
    ['the rest was removed', 'a(*b)', 'a()', ['no longer takes *b']],
    ['another name of the rest', 'a(*b, **c)', 'a(*args, **kwargs)', []],
    ['a type that takes more', 'a(b: int)', 'a(b: Optional[int])', []],
    ['a type that takes less', 'a(b: int | str)', 'a(b: int)', ['b is int instead of int | str']],
    ['another result', 'a() -> int', 'a() -> str', ['it returns str instead of int']],
  ])('%s', (_title, before, after, expected) => {
    const found = compareApis(placed(`def ${before}: ...`), placed(`def ${after}: ...`))
    expect(found.filter(({ kind }) => kind !== 'added').flatMap(({ why }) => why.split('; '))).toEqual(
      expected,
    )
  })
})
