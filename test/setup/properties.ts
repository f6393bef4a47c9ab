import { FastCheck } from "effect"
import { testScale } from "./Scale.js"

/** Name of the environment variable with the seed of all properties: an integer, or `random` for a new one each time. */
const VARIABLE = "TEST_SEED"

/** Seed of a usual run, so that it tests the same cases on each machine. */
const USUAL = 1

const seedOf = (text: string | undefined): { readonly seed?: number } => {
  if (text === "random") return {}
  const seed = text === undefined ? USUAL : Number(text)
  if (Number.isInteger(seed)) return { seed }
  throw new Error(`${VARIABLE} is an integer or "random", not "${text}"`)
}

FastCheck.configureGlobal({ numRuns: Math.ceil(100 * testScale), ...seedOf(process.env[VARIABLE]) })
