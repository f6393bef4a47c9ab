import { inLine } from "../record/PrintCall.js"
import type { TestedCall, TestedTurn } from "../record/TestedCall.js"

/** Verdict of one vote. */
export interface Vote {
  readonly passes: boolean
  readonly reason: string
}

/** Instructions of a judge. */
export const judgeInstructions = [
  "You judge the transcript of a phone call between an agent and a caller by one rule.",
  "The call passes when the transcript itself shows that the rule holds, and fails when it shows that it does not.",
  "Judge nothing but the rule: neither politeness, nor style, nor what might have been better.",
  `Answer with JSON and nothing else: {"reason": "one sentence that names the turn", "verdict": "pass" or "fail"}`
].join("\n")

/** The question about a transcript. */
export const judgeQuestion = (rubric: string, transcript: string): string =>
  `Rule: ${rubric}\n\nTranscript:\n${transcript}`

const lineOf = (turn: TestedTurn): ReadonlyArray<string> => {
  switch (turn.role) {
    case "agent":
      return turn.text === "" ? [] : [`agent: ${turn.text}${turn.interrupted ? "…" : ""}`]
    case "caller":
      return [
        turn.does === "says" ? `caller: ${turn.text}` : `caller ${turn.does}${turn.text === "" ? "" : ` ${turn.text}`}`
      ]
    case "tool":
      return [`agent uses ${turn.name} with ${inLine(turn.input)}, which answers ${inLine(turn.result)}`]
  }
}

/** The transcript of a call for a judge: without times, so that a call that says the same has the same verdict. */
export const judgedTranscript = ({ turns }: TestedCall): string => turns.flatMap(lineOf).join("\n")

/** Reads the answer of a judge; null for one that is no verdict. */
export const readVote = (answer: string): Vote | null => {
  const [json] = /\{[^]*\}/u.exec(answer) ?? []
  const verdict = /"verdict"\s*:\s*"(pass|fail)"/iu.exec(json ?? "")?.[1]
  if (verdict === undefined) return null
  const reason = /"reason"\s*:\s*"((?:[^"\\]|\\.)*)"/u.exec(json ?? "")?.[1] ?? ""
  return { passes: verdict.toLowerCase() === "pass", reason: reason.replaceAll(/\\(.)/gu, "$1") }
}

/** Verdict of several votes: that of the majority, where a tie fails. */
export const majority = (votes: ReadonlyArray<Vote>): Vote => {
  const passing = votes.filter(({ passes }) => passes)
  const passes = passing.length * 2 > votes.length
  return { passes, reason: votes.find((vote) => vote.passes === passes)?.reason ?? "" }
}
