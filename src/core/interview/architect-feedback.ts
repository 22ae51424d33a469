/** How the architect's feedback is put to the PM. */

const INTRODUCTION =
  'The architect provided the following feedback on your spec. Address these issues and resubmit or ask the user for any ' +
  'needed clarifications. The user has not seen the raw feedback.'

export const feedbackMessage = (feedback: string): string => `${INTRODUCTION} ${feedback}`

export const REVIEW_REASON = 'PM has completed spec interview and generated specification for review'
