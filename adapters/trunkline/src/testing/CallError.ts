import { printCall } from "@trunkline/agent-testing"
import type { TestedCall } from "../generated/Testing.js"

/** A place in a call: the index of a turn, null for the end, and a note that is printed below it. */
interface CallPlace {
  readonly turn: number | null
  readonly note: string
}

/** A call is not as it should be. The message has the faults, and the transcript with their places. */
export class CallError extends Error {
  override readonly name = "CallError"
  /** Sentences about the faults. */
  declare readonly faults: ReadonlyArray<string>
  declare readonly call: TestedCall

  constructor(faults: ReadonlyArray<string>, call: TestedCall, places: ReadonlyArray<CallPlace> = []) {
    super([...faults, "", printCall(call, places)].join("\n"))
    // Programs that print all fields of an error would print the call a second time.
    Object.defineProperty(this, "faults", { value: faults })
    Object.defineProperty(this, "call", { value: call })
  }
}
