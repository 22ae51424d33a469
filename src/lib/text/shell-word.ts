/** Quotes a text as one shell word. */
export const shellWord = (text: string): string =>
  text.includes("'") ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `'${text}'`

/** The same for people to read: without quotes where a shell needs none. */
export const shellArgument = (text: string): string => (/^[\w./:@%+=-]+$/.test(text) ? text : shellWord(text))
