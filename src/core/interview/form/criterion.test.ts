import { expect, test } from 'vitest'
import { criteriaFrom, criterionFrom } from './criterion.ts'

test.each([
  ['Add dark mode toggle to settings page', 'The settings page has a dark mode toggle'],
  ['add filters to the list', 'The list has filters'],
  [
    'Add CSV export to the orders page, but not for guests',
    'The orders page has a CSV export, but not for guests',
  ],
  ['Put a hint on the form when it is empty', 'The form has a hint when it is empty'],
  [
    'Add a search box to the header so that people find books',
    'The header has a search box so that people find books',
  ],
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
  ['Add filters by colour and size', 'There are filters by colour and size, and they can be used'],
  ['Add totals per month', 'There are totals per month, and they can be used'],
  ['Add sorting by price', 'There is sorting by price, and it can be used'],
  ['My colleague Anna wants a filter by year', 'There is a filter by year, and it can be used'],
  ['People keep asking for a wish list', 'There is a wish list, and it can be used'],
  ['Add a form to add one', 'There is a form to add one, and it can be used'],
  ['Let the list remember my filters', 'The list can remember my filters'],
  ['Sync conflicts have to be shown', 'Sync conflicts have to be shown'],
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

test('a clause with a subject of its own stands as it is', () => {
  expect(criteriaFrom('A page where people can report an absence, and I get a mail every morning')).toEqual([
    'A user can report an absence',
    'I get a mail every morning',
  ])
})
