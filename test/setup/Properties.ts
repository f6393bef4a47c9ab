import { FastCheck } from "effect"
import { testScale } from "./Scale.js"

/** Name of the environment variable with the seed of all properties: an integer, or `random` for a new one each time. */
const variableName = "TEST_SEED"

/** Seed of a usual run, so that it tests the same cases on each machine. */
const usualShare = 1

const seedOf = (text: string | undefined): { readonly seed?: number } => {
  if (text === "random") return {}
  const seed = text === undefined ? usualShare : Number(text)
  if (Number.isInteger(seed)) return { seed }
  throw new Error(`${variableName} is an integer or "random", not "${text}"`)
}

FastCheck.configureGlobal({ numRuns: Math.ceil(100 * testScale), ...seedOf(process.env[variableName]) })
