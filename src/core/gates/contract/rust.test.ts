import { describe, expect, test } from 'vitest'
import { compareApis } from './compare.ts'
import { loadTestParser } from '../../../../test/helpers/test-parser.ts'
import { readRust } from './rust.ts'

const parser = await loadTestParser('rs')

const signatures = (text: string): string[] =>
  readRust(parser.tree('a.rs', text)).symbols.map(({ signature }) => signature)

describe('public items of a file are read', () => {
  test.each<[string, string, string[]]>([
    [
      'a function',
      "pub fn open<'a, T: Into<String>>(name: &'a str, size: T) -> Result<Shop, Error> { let x = 'a'; }\nfn hidden() {}\npub(crate) fn near() {}",
      ["fn open<'a, T: Into<String>>(name: &'a str, size: T) -> Result<Shop, Error>"],
    ],
    [
      'words before it',
      'pub async unsafe fn a() {}\npub const fn b() -> u8 { 1 }\npub unsafe extern "C" fn c(x: *mut u8);',
      ['async unsafe fn a()', 'const fn b() -> u8', 'unsafe extern fn c(x: *mut u8)'],
    ],
    [
      'a function as a parameter',
      'pub fn a(f: impl Fn(u8) -> u8, g: Box<dyn Fn(u8, u8) -> u8>) {}',
      ['fn a(f: impl Fn(u8) -> u8, g: Box<dyn Fn(u8, u8) -> u8>)'],
    ],
    [
      'a structure',
      'pub struct A<T> where T: B {\n  #[serde(default)]\n  pub b: Vec<T>,\n  c: u8,\n  pub(crate) d: u8,\n}',
      ['struct A<T>', 'A.b: Vec<T>'],
    ],
    ['a tuple and a unit', 'pub struct A(pub u8, u16);\npub struct B;', ['struct A', 'A.0: u8', 'struct B']],
    [
      'an enumeration',
      'pub enum A { B, C(u8, String), D { e: u8 }, F = 3 }',
      ['enum A', 'A.B', 'A.C(u8, String)', 'A.D{e: u8}', 'A.F'],
    ],
    [
      'a trait',
      'pub trait A: B + C {\n  type D;\n  const E: u8;\n  fn f(&self, g: u8) -> u8;\n  fn h(&mut self) { let x = 1; }\n}',
      ['trait A: B + C', 'type A.D', 'const A.E: u8', 'fn A.f(&self, g: u8) -> u8', 'fn A.h(&mut self)'],
    ],
    [
      'what is implemented',
      'pub struct A;\nimpl A {\n  pub fn b(&self) {}\n  fn c(&self) {}\n  pub const D: u8 = 1;\n}\nimpl<T> fmt::Display for crate::x::A { fn fmt(&self) {} }\nimpl<T: X> List<T> { pub fn push(mut self, x: T) -> Self { self } }',
      [
        'struct A',
        'fn A.b(&self)',
        'const A.D: u8',
        'impl fmt::Display for A',
        'fn List.push(self, x: T) -> Self',
      ],
    ],
    [
      'modules',
      'pub mod a { pub fn b() {} fn c() {} }\npub mod d;\nmod e { pub fn f() {} }',
      ['mod a', 'fn a::b()', 'mod d'],
    ],
    [
      'what is used',
      'pub use a::b;\npub use c::{d, e as f, g::*, self};\nuse h::i;',
      ['use a::b', 'use c::d', 'use c::e', 'use c::g::*', 'use c::self'],
    ],
    [
      'values and types',
      'pub const A: [u8; 2] = [1, 2];\npub static mut B: u8 = 1;\npub type C<T> = Result<T, E>;',
      ['const A: [u8; 2]', 'static B: u8', 'type C = Result<T, E>'],
    ],
    [
      'macros that are exported',
      '#[macro_export]\nmacro_rules! a { () => {} }\nmacro_rules! b { () => {} }',
      ['a!'],
    ],
    [
      'no tests, nothing hidden',
      '#[cfg(test)]\nmod tests { pub fn a() {} }\n#[doc(hidden)]\npub fn b() {}\npub fn c() {}',
      ['fn c()'],
    ],
    [
      'no comment, no text',
      '/* /* pub fn a() {} */ pub fn b() {} */\n// pub fn c() {}\nconst X: &str = r#"pub fn "d"() {}"#;\npub fn e() {}',
      ['fn e()'],
    ],
  ])('%s', (_title, text, expected) => {
    expect(signatures(text)).toEqual(expected)
  })
})

describe('incompatible changes', () => {
  const breaks = (before: string, after: string): string[] => {
    const [old, now] = [before, after].map((text) =>
      readRust(parser.tree('a.rs', text)).symbols.map((one) => ({ ...one, unit: '', file: 'a.rs' })),
    )
    return compareApis(old ?? [], now ?? [])
      .filter(({ kind }) => kind !== 'added')
      .map(({ name, why }) => `${name} ${why}`)
  }
  test.each<[string, string, string[]]>([
    ['pub fn a(b: u8) {}', 'pub fn a(b: u8, c: u8) {}', ['a needs the new parameter c']],
    ['pub fn a() {}', 'pub(crate) fn a() {}', ['a was removed']],
    ['pub fn a() -> u8 {}', 'pub fn a() -> Option<u8> {}', ['a it returns Option<u8> instead of u8']],
    ['pub fn a() {}', 'pub unsafe fn a() {}', ['a is unsafe now']],
    ['pub unsafe fn a() {}', 'pub fn a() {}', []],
    ['pub struct A { pub b: u8 }', 'pub struct A { b: u8 }', ['A.b was removed']],
    ['pub enum A { B, C }', 'pub enum A { B }', ['A.C was removed']],
    ['impl B for A {}', '', ['A.impl B was removed']],
    [
      'impl A { pub fn b(&self) {} }',
      'impl A { pub fn b(&mut self) {} }',
      ['A.b is on &mut self now; is no longer on &self'],
    ],
  ])('%s → %s', (before, after, expected) => {
    expect(breaks(before, after)).toEqual(expected)
  })
})
