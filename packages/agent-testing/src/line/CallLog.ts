import type { CallerVerb, TestedTurn } from "../record/TestedCall.js"

/** Turn whose end is not known yet. */
type Open<Turn> = { -readonly [Name in keyof Turn]: Turn[Name] }

type OpenTurn = TestedTurn extends infer Turn ? Turn extends TestedTurn ? Open<Turn> : never : never

/** A turn of one side that goes on. */
export type OpenTurnOf<Role extends TestedTurn["role"]> = Extract<OpenTurn, { role: Role }>

/** Log of a call that goes on. */
export interface TestCallLog {
  /** Notes that a turn begins now; its fields may change until the end of the call. */
  readonly agent: (meant: string, language: string, at: number) => OpenTurnOf<"agent">
  readonly caller: (does: CallerVerb, text: string, at: number) => OpenTurnOf<"caller">
  readonly tool: (name: string, input: unknown, at: number) => OpenTurnOf<"tool">
  /** Notes an operation of the agent after the end of the call. */
  readonly refuse: () => void
  readonly refusals: () => number
  /** Second of a moment since the answer. */
  readonly second: (at: number) => number
  /** Turns so far, without words of which nothing was heard for another reason than an interruption. */
  readonly turns: () => ReadonlyArray<TestedTurn>
}

/** Makes the log of a call that is answered at a moment, in epoch milliseconds. */
export const makeCallLog = (answeredAt: number): TestCallLog => {
  const turns: Array<OpenTurn> = []
  let refusals = 0
  const second = (at: number): number => Math.round(at - answeredAt) / 1_000

  const add = <Turn extends OpenTurn>(turn: Turn): Turn => {
    turns.push(turn)
    return turn
  }

  return {
    agent: (meant, language, at) => {
      const from = second(at)
      return add({ role: "agent", text: "", meant, interrupted: false, language, from, to: from })
    },
    caller: (does, text, at) => {
      const from = second(at)
      return add({ role: "caller", does, text, interrupts: false, from, to: from })
    },
    tool: (name, input, at) => {
      const from = second(at)
      return add({ role: "tool", name, input, result: null, failed: false, set: {}, from, to: from })
    },
    refuse: () => {
      refusals += 1
    },
    refusals: () => refusals,
    second,
    turns: () => turns.filter((turn) => turn.role !== "agent" || turn.text !== "" || turn.interrupted)
  }
}
