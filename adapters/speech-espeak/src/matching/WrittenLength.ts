/** A script, and how many of its letters and signs espeak-ng 1.51 says in a second at 175 words per minute (measured). */
const scripts: ReadonlyArray<readonly [script: RegExp, perSecond: number]> = [
  [/\p{Script=Latin}/gu, 15.6],
  [/\p{Script=Devanagari}/gu, 11],
  [/\p{Script=Bengali}/gu, 10],
  [/\p{Script=Gujarati}/gu, 10.3],
  [/\p{Script=Gurmukhi}/gu, 11],
  [/\p{Script=Oriya}/gu, 9.7],
  [/\p{Script=Tamil}/gu, 14.8],
  [/\p{Script=Telugu}/gu, 10.5],
  [/\p{Script=Kannada}/gu, 11.4],
  [/\p{Script=Malayalam}/gu, 12.8]
]

/** A text shorter than this, in seconds, or with more of other scripts and digits than this, tells no length. */
const shortest = 0.7
const mostUnknown = 0.1

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** How long espeak takes for a text at 175 words per minute, in seconds without pauses; null when one cannot tell. */
export const writtenSeconds = (text: string): number | null => {
  const all = countOf(text, /[\p{L}\p{M}\p{N}]/gu)
  const counts = scripts.map(([script, perSecond]) => ({ count: countOf(text, script), perSecond }))
  const known = counts.reduce((sum, { count }) => sum + count, 0)
  const seconds = counts.reduce((sum, { count, perSecond }) => sum + count / perSecond, 0)
  return seconds < shortest || all - known > mostUnknown * all ? null : seconds
}
