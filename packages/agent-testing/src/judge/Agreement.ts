import type { LabelledTranscript } from "./Labelled.js"

/** A share with its interval. */
export interface Share {
  /** From 0 to 1. */
  readonly share: number
  /** Ends of the interval of 95 %. */
  readonly low: number
  readonly high: number
}

/** Standard normal quantile of an interval of 95 %. */
const z = 1.959_963_984_540_054

/**
 * Share of successes with Wilson's score interval of 95 % (E. B. Wilson, Journal of the American Statistical Association 22, 1927), which
 * holds for small numbers and shares near 1, too. Without any trial, the interval is all from 0 to 1.
 */
export const wilsonShare = (successes: number, trials: number): Share => {
  if (trials === 0) return { share: 0, low: 0, high: 1 }
  const share = successes / trials
  const weight = z ** 2 / trials
  const middle = (share + weight / 2) / (1 + weight)
  const half = z / (1 + weight) * Math.sqrt(share * (1 - share) / trials + weight / (4 * trials))
  return { share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}

/** Agreement of a judge with labelled transcripts. */
export interface Agreement extends Share {
  readonly agreed: number
  readonly of: number
  /** Calls that the judge passed and should not have, and those that it should have passed. */
  readonly falsePasses: number
  readonly falseFails: number
  /** Agreement by rubric. */
  readonly rubrics: ReadonlyArray<{ readonly rubric: string; readonly agreed: number; readonly of: number }>
}

/** Verdict of a judge on a labelled transcript. */
export interface JudgedLabel {
  readonly label: LabelledTranscript
  readonly passes: boolean
}

/** The agreement of a judge. */
export const agreementOf = (judged: ReadonlyArray<JudgedLabel>): Agreement => {
  const agrees = ({ label, passes }: JudgedLabel): boolean => label.passes === passes
  const agreed = judged.filter(agrees).length
  const rubrics = [...new Set(judged.map(({ label }) => label.rubric))].map((rubric) => {
    const judgements = judged.filter(({ label }) => label.rubric === rubric)
    return { rubric, agreed: judgements.filter(agrees).length, of: judgements.length }
  })
  return {
    ...wilsonShare(agreed, judged.length),
    agreed,
    of: judged.length,
    falsePasses: judged.filter(({ label, passes }) => passes && !label.passes).length,
    falseFails: judged.filter(({ label, passes }) => !passes && label.passes).length,
    rubrics
  }
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/** One line about the agreement of a judge. */
export const agreementLine = ({ agreed, falseFails, falsePasses, high, low, of, share }: Agreement): string =>
  `The judge agrees with ${agreed} of ${of} labelled transcripts, ${percent(share)} (95 % interval ${percent(low)} to ${
    percent(high)
  }); it passed ${falsePasses} that fail, and failed ${falseFails} that pass`
