/** Name of the environment variable that sets the size of a run. */
const variableName = "TEST_SCALE"

/** Share of the full size at which `npm test` runs. */
const usualShare = 0.05

const scaleOf = (text: string | undefined): number => {
  const scale = text === undefined ? usualShare : Number(text)
  if (scale > 0 && scale <= 1) return scale
  throw new Error(`${variableName} is a number above 0 and up to 1, not "${text}"`)
}

/**
 * Share of the full size at which this run tests: properties try this share of their cases, and suites that are the same
 * for every host run on one host only, unless it is 1. `npm run test:full` sets it to 1.
 */
export const testScale = scaleOf(process.env[variableName])

/** True in a run at full size. */
export const isFullSize = testScale === 1

/** Rows of which a run that is not at full size takes one. */
const rowsPerSample = 6

/** The rows of a table that this run tests where each takes long: every sixth, and all at full size. */
export const sampleOf = <A>(rows: ReadonlyArray<A>): ReadonlyArray<A> =>
  isFullSize ? rows : rows.filter((_, index) => index % rowsPerSample === 0)
