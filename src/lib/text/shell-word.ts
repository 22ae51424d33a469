/** Quotes a text as one shell word. */
export const shellWord = (text: string): string =>
  text.includes("'") ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `'${text}'`
