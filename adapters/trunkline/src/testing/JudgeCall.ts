import { Cause } from "effect"
import type { TestedCall } from "../generated/Testing.js"
import { CallError } from "./CallError.js"
import { ScriptFailed } from "./PromisedCaller.js"

const isStuck = (error: unknown): error is Error =>
  error instanceof Error && "_tag" in error && error._tag === "CallerStuck"

/** Returns a call. Throws for a script that failed, and for a call that breaks a rule. */
export const judgeCall = (call: TestedCall, failure: Cause.Cause<ScriptFailed> | null): TestedCall => {
  if (failure !== null) {
    const cause = Cause.squash(failure)
    const error = cause instanceof ScriptFailed ? cause.error : cause
    throw isStuck(error) ? new CallError([error.message], call, [{ turn: null, note: error.message }]) : error
  }
  if (call.violations.length === 0) return call
  const faults = call.violations.map(({ message, rule }) => `${message} (rule ${rule})`)
  throw new CallError(faults, call, call.violations.map(({ message, turn }) => ({ turn, note: message })))
}
