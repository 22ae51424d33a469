/** Which build this program is: a hash of what it was made of, put in by scripts/bundle.ts. */
export const BUILD: string = 'source'
