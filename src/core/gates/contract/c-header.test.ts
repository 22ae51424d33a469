import { describe, expect, test } from 'vitest'
import { readCHeader } from './c-header.ts'
import { compareApis } from './compare.ts'

const signatures = (text: string): string[] => readCHeader(text).symbols.map(({ signature }) => signature)

describe('declarations of a header are read', () => {
  test.each<[string, string, string[]]>([
    [
      'functions',
      '#ifndef A_H\n#define A_H\nint a(void);\nextern const char *b(int c, char *const d[], ...);\nstatic inline unsigned long e(unsigned int) { return 1; }\n#endif',
      ['int a()', 'const char* b(int c, char* const[] d, ...)', 'unsigned long e(unsigned int)'],
    ],
    [
      'a function over several lines',
      'FOO_API int /* why */\nfoo(int a,\n    // b\n    struct bar *b)\n  __attribute__((nonnull(2)));',
      ['int foo(int a, struct bar* b)'],
    ],
    [
      'pointers to functions',
      'typedef int (*cb_t)(void *, int);\nvoid on(int (*f)(int), void *data);\nextern int (*hook)(int);',
      ['typedef int(*)(void*, int) cb_t', 'void on(int(*)(int) f, void* data)', 'int(*)(int) hook'],
    ],
    [
      'structures',
      'struct point { int x, y; char *name; unsigned flags : 3; int grid[2][3]; };\ntypedef struct { double re; } complex_t;\nstruct opaque;',
      [
        'struct point',
        'int point.x',
        'int point.y',
        'char* point.name',
        'unsigned point.flags',
        'int[2][3] point.grid',
        'typedef struct complex_t',
        'double complex_t.re',
        'struct opaque',
      ],
    ],
    [
      'a union without a name',
      'struct a { union { int b; float c; }; };',
      ['struct a', 'int a.b', 'float a.c'],
    ],
    [
      'enumerations',
      'enum colour { RED, GREEN = 2 };\ntypedef enum { A, B } kind;\nenum class E : int { X = 1, Y };',
      ['enum colour', 'RED', 'GREEN', 'enum kind', 'A', 'B', 'enum class E', 'E.X', 'E.Y'],
    ],
    [
      'macros',
      '#define MAX(a, b) ((a) > (b) \\\n  ? (a) : (b))\n#define VERSION "1"\n#define EMPTY\n#define _HIDDEN 1\n#  define LOG(...) printf(__VA_ARGS__)',
      ['#define MAX(a, b)', '#define VERSION', '#define LOG(...)'],
    ],
    [
      'C in C++',
      '#ifdef __cplusplus\nextern "C" {\n#endif\nint a(int);\n#ifdef __cplusplus\n}\n#endif',
      ['int a(int)'],
    ],
    [
      'namespaces',
      'namespace a::b { int c(); namespace detail { int d(); } namespace { int e(); } inline namespace v1 { int f(); } }',
      ['int c()', 'int f()'],
    ],
    [
      'a class',
      'template <typename T, int N = 1>\nclass Box final : public Base<T>, private Hidden {\n  int secret;\npublic:\n  explicit Box(int size = 0);\n  virtual ~Box();\n  Box(const Box &) = delete;\n  int size() const noexcept { return 1; }\n  static Box make(T &&value);\n  virtual void draw() = 0;\n  T &operator[](int i);\n  bool operator==(const Box &o) const;\n  auto end() -> T *;\n  using value_type = T;\n  static constexpr int kMax = 3;\n  struct Inner { int z; };\n  enum Mode { On, Off };\nprotected:\n  int guarded();\nprivate:\n  int hidden();\n};',
      [
        'class Box : Base<T>',
        'explicit Box(int size)',
        '~Box()',
        'Box(const Box&) deleted',
        'int size() const noexcept',
        'static Box make(T&& value)',
        'void draw() abstract',
        'T& operator[](int i)',
        'bool operator==(const Box& o) const',
        'T* end()',
        'using value_type = T',
        'static constexpr int kMax',
        'struct Inner',
        'int z',
        'enum Mode',
        'On',
        'Off',
      ],
    ],
    [
      'templates of functions',
      'template <class T> T max(T a, std::map<int, T> b = {});',
      ['T max(T a, std::map<int, T> b)'],
    ],
    [
      'variables',
      'extern int a, *b;\nextern const char *const names[];\nconstexpr double kPi = 3.14;',
      ['int a', 'int* b', 'const char* const[] names', 'constexpr double kPi'],
    ],
    [
      'aliases',
      'using A = std::vector<int>;\nusing namespace std;\nusing std::swap;\ntypedef unsigned char byte;',
      ['using A = std::vector<int>', 'using std::swap', 'typedef unsigned char byte'],
    ],
    ['no comment, no text', '/* int a(); */ // int b();\nconst char *c = "int d();";', ['const char* c']],
  ])('%s', (_title, text, expected) => {
    const read = readCHeader(text).symbols.map(({ signature, name }) =>
      // Members are listed with their owner if the signature does not show it.
      name.includes('.') && !signature.includes('.') && /^(struct (a|point)|typedef struct)/m.test(text)
        ? signature.replace(/(\S+)$/, name)
        : signature,
    )
    expect(read).toEqual(expected)
  })

  test('names have their namespace and their class', () => {
    const text = 'namespace a { class B { public: int c(); }; int d(); enum class E { F }; }'
    expect(readCHeader(text).symbols.map(({ name }) => name)).toEqual([
      'a::B',
      'a::B.c',
      'a::d',
      'a::E',
      'a::E.F',
    ])
  })

  test('unclosed declarations are read as far as possible', () => {
    expect(signatures('} } int a(')).toEqual(['int a()'])
  })
})

describe('incompatible changes', () => {
  const breaks = (before: string, after: string): string[] => {
    const [old, now] = [before, after].map((text) =>
      readCHeader(text).symbols.map((one) => ({ ...one, unit: '', file: 'a.h' })),
    )
    return compareApis(old ?? [], now ?? [])
      .filter(({ kind }) => kind !== 'added')
      .map(({ name, why }) => `${name} ${why}`)
  }
  test.each<[string, string, string[]]>([
    ['int a(int b);', 'int a(int b, int c);', ['a needs the new parameter c']],
    ['int a(int b);', 'int a(int b, int c = 0);', []],
    ['int a(const char *b);', 'int a(char const* text);', []],
    ['int a(int);', 'int a(long);', ['a parameter 1 is long instead of int']],
    ['int a(void);', 'long a(void);', ['a it returns long instead of int']],
    ['struct a { int b; int c; };', 'struct a { int b; };', ['a.c was removed']],
    ['class A { public: int b(); };', 'class A { int b(); };', ['A.b was removed']],
    ['enum a { B = 1 };', 'enum a { B = 2 };', ['B its value is 2 instead of 1']],
    ['#define A(b) b', '#define A(b, c) b', ['A needs the new parameter c']],
    ['#define A 1', '#define A 2', []],
    ['class A { public: void b(); };', 'class A { public: void b() const; };', ['A.b is on const now']],
    ['int a(int);', 'int a(int);\nint a(char);', []],
  ])('%s → %s', (before, after, expected) => {
    expect(breaks(before, after)).toEqual(expected)
  })
})
