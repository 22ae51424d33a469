/** The last words of a worker, as the end of a sentence about what it failed to do; empty where it left none. */
export const lastWordsOf = ({ lastWords }: { readonly lastWords?: string | undefined }): string =>
  lastWords === undefined || lastWords === '' ? '' : `; its last words: "${lastWords}"`
