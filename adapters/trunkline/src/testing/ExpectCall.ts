import {
  factFaults,
  type Fault,
  gapFaults,
  heardFaults,
  notUsedFaults,
  orderFaults,
  saidFaults,
  turnFaults,
  useFaults,
  valueFaults
} from "@trunkline/agent-testing"
import type { TestedCall } from "../generated/Testing.js"
import { CallError } from "./CallError.js"
import type { Words } from "./TestTypes.js"

/** Expectations of a call. Each throws a `CallError` that shows the call and the place, and returns itself. */
export interface CallExpectations {
  /**
   * These turns come in this order; others may come between. An entry is a side, `agent`, `caller` or `tool`, a colon, and a part of its
   * words, such as `agent: until nine` or `tool: book`; or a pattern for all of it.
   */
  readonly inOrder: (...entries: ReadonlyArray<Words>) => CallExpectations
  /** The call has these turns and no others, each with its whole words, or their beginning where an entry ends with `…`. */
  readonly turns: (...entries: ReadonlyArray<Words>) => CallExpectations
  /** The caller heard these words, each of them. */
  readonly heard: (...words: ReadonlyArray<Words>) => CallExpectations
  /** The agent said none of these words, nor was it about to. */
  readonly neverSaid: (...words: ReadonlyArray<Words>) => CallExpectations
  /** A tool was used: with at least these arguments, where they are given, and so many times, where that is given. */
  readonly used: (
    name: string,
    input?: Readonly<Record<string, unknown>>,
    options?: { readonly times?: number }
  ) => CallExpectations
  /** A tool was not used. */
  readonly notUsed: (name: string) => CallExpectations
  /** The agent answered, each time within so many seconds after the caller's words. */
  readonly gaps: (limits: { readonly least?: number; readonly most: number }) => CallExpectations
  /** The call ends with at least these variables. */
  readonly variables: (values: Readonly<Record<string, unknown>>) => CallExpectations
  /** The agent found out at least these output variables. */
  readonly outputs: (values: Readonly<Record<string, unknown>>) => CallExpectations
  readonly outcome: (outcome: TestedCall["outcome"]) => CallExpectations
  readonly endedBy: (side: TestedCall["endedBy"]) => CallExpectations
  /** English name of the language of the conversation. */
  readonly language: (name: string) => CallExpectations
  /** The call took at most so many seconds. */
  readonly lasted: (limits: { readonly most: number }) => CallExpectations
}

/**
 * Expects something of a call.
 *
 * @example
 * ```ts
 * expectCall(call).inOrder("caller: table", "tool: book", "agent: 9 am").neverSaid("manager").outcome("completed")
 * ```
 */
export const expectCall = (call: TestedCall): CallExpectations => {
  const hold = (faults: ReadonlyArray<Fault>): CallExpectations => {
    if (faults.length === 0) return expectations
    throw new CallError(
      faults.map(({ message }) => message),
      call,
      faults.map(({ message, turn }) => ({ turn, note: message }))
    )
  }
  const expectations: CallExpectations = {
    inOrder: (...entries) => hold(orderFaults(call, entries)),
    turns: (...entries) => hold(turnFaults(call, entries)),
    heard: (...words) => hold(heardFaults(call, words)),
    neverSaid: (...words) => hold(saidFaults(call, words)),
    used: (name, input, { times } = {}) => hold(useFaults(call, name, input, times)),
    notUsed: (name) => hold(notUsedFaults(call, name)),
    gaps: ({ least = 0, most }) => hold(gapFaults(call, least, most)),
    variables: (values) => hold(valueFaults("variable", call.variables, values)),
    outputs: (values) => hold(valueFaults("output variable", call.outputs, values)),
    outcome: (outcome) => hold(factFaults("outcome", call.outcome, outcome)),
    endedBy: (side) => hold(factFaults("side that ended the call", call.endedBy, side)),
    language: (name) => hold(factFaults("language", call.language, name)),
    lasted: ({ most }) =>
      hold(
        call.seconds <= most
          ? []
          : [{ message: `The call took ${call.seconds.toFixed(1)} s, and not at most ${most} s.`, turn: null }]
      )
  }
  return expectations
}
