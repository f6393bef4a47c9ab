import { pathToFileURL } from "node:url"
import { thrownText } from "../ThrownText.js"
import { guarded } from "./GuardedRun.js"
import { defaultTimeout, maxTimeout, type Suite } from "./Suite.js"

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Fault of a value as a suite, after the name of its file; null without one. */
const suiteIssue = (value: unknown): string | null => {
  if (!isObject(value) || typeof value["name"] !== "string" || !isObject(value["tests"])) {
    return "exports no suite: write export const suite = defineSuite({ name, tests })"
  }
  const { least = 1, runs = 1, tests, timeout = 1 } = value
  if (!Number.isInteger(runs) || Number(runs) < 1) return "has a suite whose runs is no whole number from 1 on"
  if (typeof least !== "number" || !(least >= 0 && least <= 1)) {
    return "has a suite whose least is no number from 0 to 1"
  }
  if (typeof timeout !== "number" || !(timeout > 0 && timeout <= maxTimeout)) {
    return `has a suite whose timeout is no number of seconds up to ${maxTimeout}`
  }
  const entries = Object.entries(tests)
  if (entries.length === 0) return "has a suite without tests: give it one, by its name"
  const [other] = entries.find(([, test]) => typeof test !== "function") ?? []
  return other === undefined ? null : `has a suite whose test "${other}" is no function`
}

const isSuite = (value: unknown): value is Suite => suiteIssue(value) === null

/** The suite of a file, or a sentence about why there is none. */
export const loadSuite = async (file: string): Promise<Suite | string> => {
  try {
    const load = (): Promise<{ readonly default?: unknown; readonly suite?: unknown }> =>
      import(pathToFileURL(file).href)
    const { default: other, suite = other } = await guarded(defaultTimeout, load)
    return isSuite(suite) ? suite : `${file} ${suiteIssue(suite)}`
  } catch (error) {
    const hint = /\.m?ts$/.test(file) && Reflect.get(process.features, "typescript") === undefined
      ? " Node.js reads TypeScript from 22.18 on; before, run it with: node --import tsx node_modules/.bin/trunkline test"
      : ""
    return `${file} cannot be loaded: ${thrownText(error)}.${hint}`
  }
}
