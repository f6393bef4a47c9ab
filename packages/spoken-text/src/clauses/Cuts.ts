import type { LanguageCode } from "../LanguageCode.js"
import { attachedMarks } from "./Sentences.js"

/** Words before which a long sentence can be cut, where a speaker would breathe. */
export const conjunctions: Readonly<Record<LanguageCode, ReadonlySet<string>>> = {
  "as-IN": new Set(["আৰু", "কিন্তু", "কাৰণ", "যদি", "যিহেতু", "তেন্তে"]),
  "bn-IN": new Set(["এবং", "কিন্তু", "কারণ", "যদি", "তাই", "অথবা", "আর"]),
  "en-IN": new Set(["and", "but", "or", "because", "so", "which", "who", "when", "while", "if", "then", "although"]),
  "gu-IN": new Set(["અને", "પરંતુ", "પણ", "કારણ", "જો", "તો", "અથવા", "કે"]),
  "hi-IN": new Set(["और", "लेकिन", "मगर", "क्योंकि", "इसलिए", "अगर", "तो", "या", "कि", "जो"]),
  "kn-IN": new Set(["ಮತ್ತು", "ಆದರೆ", "ಏಕೆಂದರೆ", "ಅಥವಾ", "ಹಾಗೂ"]),
  "ml-IN": new Set(["എന്നാൽ", "പക്ഷേ", "കാരണം", "അല്ലെങ്കിൽ", "അതിനാൽ"]),
  "mr-IN": new Set(["आणि", "पण", "परंतु", "कारण", "जर", "तर", "किंवा", "म्हणून"]),
  "od-IN": new Set(["ଏବଂ", "କିନ୍ତୁ", "କାରଣ", "ଯଦି", "ଓ", "କିମ୍ବା"]),
  "pa-IN": new Set(["ਅਤੇ", "ਪਰ", "ਕਿਉਂਕਿ", "ਜੇ", "ਤਾਂ", "ਜਾਂ", "ਕਿ"]),
  "ta-IN": new Set(["மற்றும்", "ஆனால்", "ஏனெனில்", "அல்லது", "எனவே"]),
  "te-IN": new Set(["మరియు", "కానీ", "ఎందుకంటే", "లేదా", "కాబట్టి", "అయితే"])
}

/** Length limits of a clause in UTF-16 units. */
export interface ClauseLength {
  /** Least length of a clause cut at a clause mark or a conjunction. */
  readonly min: number
  /** Length beyond which text is cut at a clause mark. */
  readonly target: number
  /** Length beyond which text is always cut. */
  readonly max: number
}

/** Lengths of the first clause, which is short, so that speech can start soon. */
export const firstLength: ClauseLength = { min: 25, target: 60, max: 60 }

/** Lengths of all other clauses. */
export const laterLength: ClauseLength = { min: 40, target: 120, max: 200 }

/** Shortest rest of a sentence that may be cut off. */
export const minRest = 15

/** Shortest clause for which a clause mark is preferred to a space. */
const minClause = 10

/** A character that can be spoken: a letter or a figure. */
export const speakableCharacter = /[\p{L}\p{N}]/u

/** Marks at which a clause may end; not a colon before a figure, since the words before it tell how the figure is read. */
const marks = new RegExp(
  `(?:[,;]|:(?!\\s{1,3}\\p{Nd}))[)\\]"'”’»]*(?=\\s(?!${attachedMarks}))|[—–](?![\\d]|${attachedMarks})`,
  "gu"
)

const spaces = new RegExp(`\\s(?!${attachedMarks})`, "gu")

/** A space near a figure, where a number would part from the words that tell how it is read. */
const besideFigure =
  /(?<=\p{Nd})\s(?:\p{Lo}|(?:is|as) your\s|to (?:log|sign|verif)|when (?:asked|prompted))|\s(?:\S{1,8}\s)?\p{Nd}/uy

const isBesideFigure = (text: string, gap: number): boolean => {
  besideFigure.lastIndex = gap
  return besideFigure.test(text)
}

/** The last place within inclusive bounds. */
const lastWithin = (places: ReadonlyArray<number>, from: number, to: number): number | undefined =>
  places.findLast((place) => place >= from && place <= to)

/** Index of the first clause mark at which a first clause can end, before something else to speak; undefined without one. */
export const earlyCut = (sentence: string): number | undefined => {
  const start = sentence.slice(0, firstLength.max + 5)
  const speechStart = start.search(speakableCharacter)
  if (speechStart < 0) return undefined
  for (const { 0: mark, index } of start.matchAll(marks)) {
    const place = index + mark.length
    if (place < firstLength.min || place <= speechStart || place > firstLength.max) continue
    return speakableCharacter.test(sentence.slice(place)) ? place : undefined
  }
  return undefined
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/** The last grapheme boundary at or before `max`, or the end of the first grapheme. */
export const graphemeCut = (text: string, max: number): number => {
  const segment = graphemes.segment(text).containing(max)
  return segment === undefined ? text.length : segment.index === 0 ? segment.segment.length : segment.index
}

/**
 * Index of the best cut in a sentence: at a clause mark, else before a conjunction, else at a space; undefined when there
 * is none. Returns the length of a sentence that is short enough to stay whole.
 */
export const findCut = (
  sentence: string,
  { max, min, target }: ClauseLength,
  conjunctions: ReadonlySet<string>
): number | undefined => {
  if (sentence.length <= target) return sentence.length
  const start = sentence.slice(0, max + minRest)
  const early = sentence.length - minRest
  const speechStart = start.search(speakableCharacter)
  const isSpoken = (place: number) => speechStart >= 0 && place > speechStart
  const clauses = Array.from(start.matchAll(marks), ({ 0: mark, index }) => index + mark.length).filter(isSpoken)
  const clause = lastWithin(clauses, min, Math.min(target, early)) ??
    clauses.find((place) => place > target && place <= max)
  if (clause !== undefined) return clause
  if (sentence.length <= max) return sentence.length
  const gaps = Array.from(start.matchAll(spaces), ({ index }) => index).filter(isSpoken)
  const conjunctionGaps = gaps.filter((gap) => conjunctions.has(/^\s+(\S{1,12})/u.exec(start.slice(gap))?.[1] ?? ""))
  return lastWithin(conjunctionGaps, min, Math.min(max, early)) ??
    lastWithin(clauses, minClause, max) ??
    gaps.filter((gap) => gap >= min && gap <= Math.min(max, early)).slice(-12).findLast((gap) =>
      !isBesideFigure(start, gap)
    ) ??
    lastWithin(gaps, 1, Math.min(max, early)) ??
    lastWithin(gaps, 1, max)
}
