import type { Forms, Language } from "../languages/Language.js"
import { isCounted } from "./Counted.js"
import { anyOf, matchAt, perLanguage, type Position, wordEnd } from "./Reader.js"

const beforeTimes = /(?:^|\s)(?:at|by|from|till|until|before|after|between|around)\s$/i

/** The second time after "from 9.30" and "between 9.30". */
const secondTime =
  /^ ?(?:to|till|until|and|[-–]) ?\d{1,2}(?:[.:][0-5]\d(?!\d)(?! ?(?:%|percent|lakh|crore|million))|(?:[.:][0-5]\d)? ?[ap]\.?m)/i

const beforeRates =
  /(?:rate|interest|priced|valued|trading|closed|opened|sold|bought|rose|fell|grew|up|down|cut|raised)(?:\s\S+)?\s\S+\s$/i

/** Words for rates, prices and measures before figures, in all languages other than English. */
const measures = new RegExp(
  "(?:दर|ब्याज|व्याज|भाव|शेयर|शेअर|रेट|कीमत|किंमत|मूल्य|सेंसेक्स|निफ्टी|स्कोर|अंक|তাপ|সুদ|হার|দাম|শেয়ার|দৰ|মূল্য|વ્યાજ|દર|ભાવ|શેર|" +
    "ਵਿਆਜ|ਦਰ|ਭਾਅ|ਸ਼ੇਅਰ|ସୁଧ|ଦର|ମୂଲ୍ୟ|வட்டி|விலை|பங்கு|வீத|వడ్డీ|ధర|షేర్|రేటు|ಬಡ್ಡಿ|ಬೆಲೆ|ದರ|ಷೇರ|പലിശ|വില|നിരക്ക|ഓഹരി)[^.!?।\\n]{0,20}$",
  "u"
)

const behind = perLanguage(({ clock }) => anyOf(Object.keys(clock.behind), wordEnd))

/** Form of the phrase of a time that the word after its figures asks for, as `पर` after `11.45`. */
export const formBehind = (language: Language, text: string, end: number): Forms | undefined => {
  const match = matchAt(behind(language), text, /[ -]/.test(text[end] ?? "") ? end + 1 : end)
  return language.clock.behind[match?.[1] ?? ""]
}

const cases = perLanguage(({ clock }) => anyOf(Object.keys(clock.cases), `${wordEnd}(?!\\s\\d|\\.\\p{L})`))

/** Case ending after the figures of a time, with the form of the phrase that it asks for. */
export const caseAt = (
  language: Language,
  text: string,
  end: number
): { readonly forms: Forms; readonly end: number } | undefined => {
  const start = text[end] === "-" ? end + 1 : end
  const match = matchAt(cases(language), text, start)
  if (match === null) return undefined
  return { forms: language.clock.cases[(match[1] ?? "").normalize("NFC")] ?? {}, end: start + match[0].length }
}

const isMeasured = ({ at, text }: Position): boolean => measures.test(text.slice(Math.max(0, at - 32), at))

/** True before words such as `पर` and endings such as `க்கு`, for figures that are no rate. */
const isBehind = (position: Position, end: number): boolean =>
  (formBehind(position.language, position.text, end) ?? caseAt(position.language, position.text, end)) !== undefined &&
  !isMeasured(position)

/** Two times on quarters of an hour, with a dash or one of them after seven. */
const quarters =
  /^(?=\d{1,2}\.\d\d\s?[-–]|.{0,20}(?<!\d)(?:[7-9]|1\d|2[0-3])\.)\d{1,2}\.(?:00|15|30|45)\D{1,12}\d{1,2}\.(?:00|15|30|45)/

/** True for two times on quarters of an hour, as in 9.30-18.30, which are no rates. */
export const isOpeningHours = (position: Position, writtenText: string): boolean =>
  quarters.test(writtenText) && !isMeasured(position) &&
  !beforeRates.test(position.text.slice(Math.max(0, position.at - 24), position.at))

/** True after English words such as "at" and before words such as `पर`, for figures that are no rate and count nothing. */
export const isExpected = (position: Position, end: number, minutes: string): boolean => {
  const { at, language, text } = position
  if (minutes.length !== 2 || Number(minutes) % 5 !== 0 || isCounted(language, text, end)) return false
  if (isBehind(position, end)) return true
  const before = text.slice(Math.max(0, at - 24), at)
  if (/(?:from|between)\s$/i.test(before) && !secondTime.test(text.slice(end, end + 24))) return false
  return beforeTimes.test(before) && !beforeRates.test(before) &&
    !/^ ?(?:per|p\.a|times|points)/i.test(text.slice(end, end + 8))
}
