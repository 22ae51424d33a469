import { expect, test } from 'vitest'
import { languageProblem } from './answer-language.ts'

const ENGLISH = 'Add a dark mode toggle to the settings page of the shop'
const RUSSIAN = 'Добавить переключатель тёмной темы на страницу настроек магазина'
const CHINESE = '在设置页面上添加一个深色模式的开关，并且记住用户的选择，下次打开时使用'
const problem = (answer: unknown, ...texts: readonly string[]) =>
  languageProblem(answer, { task: '', data: texts.map((text) => ({ source: 'x', text })) })

test.each([
  [RUSSIAN, 'Cyrillic'],
  [CHINESE, 'Chinese or Japanese'],
])('an answer in letters that the data does not use is a problem: %s', (text, script) => {
  expect(problem({ note: text, parts: [] }, ENGLISH)).toContain(script)
})

test.each([
  [{ note: ENGLISH }, [ENGLISH]],
  [{ note: ENGLISH }, [RUSSIAN]],
  [{ note: RUSSIAN }, [ENGLISH, RUSSIAN]],
  [{ note: 'да' }, [ENGLISH]],
  [{ note: RUSSIAN }, ['']],
])('an answer in the letters of the data, in Latin ones or with few letters is none: %j', (answer, texts) => {
  expect(problem(answer, ...texts)).toBeNull()
})
