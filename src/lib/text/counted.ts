/** `1 file`, `2 files`. */
export const counted = (many: number, noun: string): string => `${many} ${noun}${many === 1 ? '' : 's'}`
