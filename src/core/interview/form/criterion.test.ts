import { expect, test } from 'vitest'
import { criteriaFrom, criterionFrom } from './criterion.ts'

test.each([
  ['Add dark mode toggle to settings page', 'The settings page has a dark mode toggle'],
  ['add filters to the list', 'The list has filters'],
  ['Create a wish list', 'There is a wish list, and it can be used'],
  ['Let guests leave a message', 'Guests can leave a message'],
  ['Allow admins to delete posts', 'Admins can delete posts'],
  ['Send a mail for each message', 'It sends a mail for each message'],
  ['Search notes', 'It searches notes'],
  ['Rename foo to bar', 'Every place that had foo has bar'],
  ['Remove the old export', 'There is no trace left of the old export'],
  ['Fix the bug where totals are wrong', 'The fault no longer occurs: totals are wrong'],
  ['Refactor the parser', 'All tests that passed before the change still pass'],
  ['Users should be able to log in', 'Users can log in'],
  ['the list is sorted by date', 'The list is sorted by date'],
  ['Make the app faster', 'A test shows it: Make the app faster'],
])('"%s" is checked as "%s"', (wish, criterion) => {
  expect(criterionFrom(wish)).toBe(criterion)
})

test('a wish of several parts has a criterion for each', () => {
  expect(criteriaFrom('A shop where people can order, pay and track parcels')).toEqual([
    'A user can order',
    'A user can pay',
    'A user can track parcels',
  ])
})
