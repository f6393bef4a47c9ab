import type { TestedCall, TestedTurn } from "./TestedCall.js"

/** A place in a call: the index of a turn, or null for the end, and a note that is printed below it. */
export interface CallMark {
  readonly turn: number | null
  readonly note: string
}

const secondsOf = (seconds: number): string => seconds.toFixed(1).padStart(6)

/** A value in one line. */
export const inLine = (value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? "nothing"
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}

/** Name of a turn's side in the transcript. */
const sideOf = (turn: TestedTurn): string => turn.role === "tool" ? "tool" : turn.role

/** One line about a turn, without its time: how it is compared and printed. */
const turnText = (turn: TestedTurn): string => {
  switch (turn.role) {
    case "agent":
      return turn.interrupted ? `${turn.text}…`.trim() : turn.text
    case "caller":
      return turn.does === "says" ? turn.text : turn.text === "" ? `(${turn.does})` : `(${turn.does} ${turn.text})`
    case "tool":
      return `${turn.name}(${inLine(turn.input)}) → ${turn.failed ? "failed: " : ""}${inLine(turn.result)}`
  }
}

/** A turn as assertions name it: its side, a colon, and its words. */
export const turnEntry = (turn: TestedTurn): string => `${sideOf(turn)}: ${turnText(turn)}`

const rowOf = (turn: TestedTurn): string =>
  `${secondsOf(turn.from)} ${sideOf(turn).padEnd(6)}  ${turnText(turn)}${
    turn.role === "agent" && turn.interrupted ? `  [cut off: ${inLine(turn.meant)}]` : ""
  }`

/** The last line of a transcript: the end of the call, and all that the agent found out. */
const endOf = ({ endedBy, fault, outcome, outputs, seconds }: TestedCall): string => {
  const outputsText = Object.keys(outputs).length === 0 ? "" : `, outputs ${inLine(outputs)}`
  return `${secondsOf(seconds)} end     ended by the ${
    endedBy === "user" ? "caller" : endedBy
  }, ${outcome}${outputsText}${fault === null ? "" : `, fault: ${fault}`}`
}

const noteRows = (marks: ReadonlyArray<CallMark>, turn: number | null): ReadonlyArray<string> =>
  marks.filter((mark) => mark.turn === turn).map(({ note }) => `       ^ ${note}`)

/**
 * The transcript of a call, one line for each turn with its second since the answer. Marked turns begin with `>`, and their
 * notes follow them.
 */
export const printCall = (call: TestedCall, marks: ReadonlyArray<CallMark> = []): string => {
  const markTurns = new Set(marks.map(({ turn }) => turn))
  const signOf = (turn: number | null) => markTurns.has(turn) ? ">" : " "
  return [
    `The call of ${call.startedAt}, in seconds since the answer (seed ${call.seed}):`,
    ...call.turns.flatMap((turn, index) => [`${signOf(index)}${rowOf(turn)}`, ...noteRows(marks, index)]),
    `${signOf(null)}${endOf(call)}`,
    ...noteRows(marks, null)
  ].join("\n")
}
