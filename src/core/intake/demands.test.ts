import { expect, test } from 'vitest'
import { clientsIn, layersIn } from './demands.ts'

test('each layer and each client counts once, however often it is named', () => {
  expect(layersIn('a page, a form and a button')).toEqual(['screen'])
  expect(layersIn('mail the owner every night')).toEqual(['messages', 'access', 'jobs'])
  expect(clientsIn('on iOS, on Android and in the browser')).toEqual(['web', 'mobile'])
})

test('words within other words name no layer', () => {
  expect(layersIn('homepages and mailable reports')).toEqual([])
})
