/** Text with every run of white space, line ends too, as one space. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
