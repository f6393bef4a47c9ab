import type { LabelledTranscript } from "./Labelled.js"
import { apologyForComplaint } from "./labelled/ApologyForComplaint.js"
import { callersLanguage } from "./labelled/CallersLanguage.js"
import { detailsRepeated } from "./labelled/DetailsRepeated.js"
import { furtherHelp } from "./labelled/FurtherHelp.js"
import { identityFirst } from "./labelled/IdentityFirst.js"
import { noMedicalAdvice } from "./labelled/NoMedicalAdvice.js"
import { noRefundPromise } from "./labelled/NoRefundPromise.js"
import { oneQuestion } from "./labelled/OneQuestion.js"
import { personAtOnce } from "./labelled/PersonAtOnce.js"
import { priceFirst } from "./labelled/PriceFirst.js"

/**
 * Transcripts with their verdicts, by which the error of a judge is known: ten rubrics, each with ten transcripts that pass and ten
 * that do not, in English and other languages.
 */
export const labelledTranscripts: ReadonlyArray<LabelledTranscript> = [
  apologyForComplaint,
  callersLanguage,
  detailsRepeated,
  furtherHelp,
  identityFirst,
  noMedicalAdvice,
  noRefundPromise,
  oneQuestion,
  personAtOnce,
  priceFirst
].flat()
