import { describe, expect, test } from 'vitest'
import { namedReport } from '../../test-reports/report.ts'
import { brokenResult, invertTest } from './test-breaking.ts'

describe('a turned test', () => {
  test.each([
    ['t.c', '  CHECK(total(0, 0) == 0);', '  CHECK(total(0, 0) != 0);'],
    ['t.c', '  assert(strcmp(a, "x == y") == 0);', '  assert(strcmp(a, "x == y") != 0);'],
    ['t.cc', '  EXPECT_EQ(total(a), 3);', '  EXPECT_NE(total(a), 3);'],
    ['t.c', '  TEST(json_value(a) == NULL);', '  TEST(json_value(a) != NULL);'],
    ['t.c', '  ck_assert_int_eq(a, b);', '  ck_assert_int_ne(a, b);'],
    ['t.c', '  assert_int_equal(a, b);', '  assert_int_not_equal(a, b);'],
    ['t.c', '  TEST_ASSERT_EQUAL(3, a);', '  TEST_ASSERT_NOT_EQUAL(3, a);'],
    ['it.rs', '    assert_eq!(add(1, 2), 3);', '    assert_ne!(add(1, 2), 3);'],
    ['it.rs', '    assert!(add(1, 2) == 3);', '    assert!(add(1, 2) != 3);'],
    ['a_test.go', '\tif got != want {', '\tif got == want {'],
    ['a_test.go', '\trequire.Equal(t, 1, got)', '\trequire.NotEqual(t, 1, got)'],
  ])('of %s: %s says the opposite', (path, line, expected) => {
    expect(invertTest(path, `a\n${line}\nb`)).toBe(`a\n${expected}\nb`)
  })

  test.each([
    ['t.c', '  CHECK(a == b || c);'],
    ['t.c', '  CHECK(a == b && c == d);'],
    ['t.c', '  // CHECK(a == b);'],
    ['t.c', '  if (a == b) return;'],
    ['t.c', '#define CHECK(what) check(what == 0)'],
    ['a_test.go', '\tx := a != b'],
    ['a.test.ts', '  assert.equal(a, b)'],
  ])('is none where nothing can be turned for sure: %s: %s', (path, line) => {
    expect(invertTest(path, line)).toBeNull()
  })

  test('is inverted in every possible line', () => {
    expect(invertTest('t.c', 'CHECK(a == 1);\nCHECK(b == 2);')).toBe('CHECK(a != 1);\nCHECK(b != 2);')
  })
})

describe('the result of an inverted test', () => {
  const seen = (code: number, report: Parameters<typeof brokenResult>[0]['report']) =>
    brokenResult({ ending: { kind: 'exited', code }, report }, 't.c').kind
  const outcome = (outcome: 'passed' | 'failed') => namedReport('tap', [{ name: 'a', file: null, outcome }])

  test('is fails if one failed', () => {
    expect(seen(1, outcome('failed'))).toBe('fails')
    expect(seen(2, null)).toBe('fails')
  })

  test('is blind if all passed', () => {
    expect(seen(0, outcome('passed'))).toBe('blind')
    expect(seen(0, null)).toBe('blind')
  })

  test('is unknown if it did not exit, or no test failed', () => {
    expect(seen(1, outcome('passed'))).toBe('unknown')
    expect(brokenResult({ ending: { kind: 'aborted' }, report: null }, 't.c').kind).toBe('unknown')
    expect(seen(127, null)).toBe('unknown')
  })
})
