import { expect, test } from 'vitest'
import { withFailingEnd } from './test-breaking.ts'

test.each([
  [
    'test.js',
    'check()\nprocess.exit(bad)\n',
    /^check\(\)\n[\s\S]+throw new Error[\s\S]+\nprocess\.exit\(bad\)\n$/,
  ],
  [
    'test_a.py',
    "import a\nif __name__ == '__main__':\n    main()\n",
    /^import a\nraise AssertionError\(.+\)\nif __name__/,
  ],
  ['test.rb', "require 'a'\n__END__\ndata\n", /^require 'a'\nraise '.+'\n__END__\ndata\n$/],
  ['test/run', '#!/bin/sh\n./a || bad=1\nexit $bad\n', /\nexit 1\nexit \$bad\n$/],
  ['test.lua', 'assert(f())\nreturn true', /\nerror\('.+'\)\nreturn true$/],
  ['t/a.t', 'ok 1;', /^ok 1;\ndie '.+';\n$/],
  ['tests.c', 'int main(void) { return 0; }', /__attribute__\(\(destructor\)\)/],
])('a failing end stands before the line that ends the program: %s', (path, text, expected) => {
  expect(withFailingEnd(path, text)).toMatch(expected)
})

test.each(['tests/expected.txt', 'tests/helper.h', 'test/Main.hs'])('%s has no failing end', (path) => {
  expect(withFailingEnd(path, 'text')).toBeNull()
})
