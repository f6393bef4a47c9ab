/** Ends of a sentence and of a clause, before any quotes and brackets that close. */
const sentenceEnd = /[.!?…।॥][\s"'”’)}]*$/u
const clauseEnd = /[,;:–—][\s"'”’)}]*$/u

/** About what espeak itself pauses at its usual 175 words per minute. */
const usual = { wordsPerMinute: 175, sentence: 0.28, clause: 0.14 }

/**
 * How long to be silent after a text, in seconds, so that the next one follows as it would within one text: after a
 * sentence, after a clause, and not at all where a text is cut between two words.
 */
export const closingPause = (text: string, wordsPerMinute: number): number => {
  const pause = sentenceEnd.test(text) ? usual.sentence : clauseEnd.test(text) ? usual.clause : 0
  return pause * usual.wordsPerMinute / wordsPerMinute
}
