import {
  agreementLine,
  agreementOf,
  judgedTranscript,
  judgeInstructions,
  judgeQuestion,
  labelledTranscripts,
  majority,
  readVote
} from "@trunkline/agent-testing"
import type { TestedCall } from "../../generated/Testing.js"
import type { Model } from "../../options/ModelOptions.js"
import { CallError } from "../CallError.js"
import { cachedModel } from "./CachedModel.js"
import { askModel } from "./LoadModel.js"

/** Options of a judge. */
export interface JudgeOptions {
  readonly model: Model
  /** Folder of its answers, by what it was asked, so that a test that runs again costs nothing: commit it. None by default. */
  readonly folder?: string
  /** Number of votes, of which the majority counts; 1 by default. */
  readonly votes?: number
  /** Name of the model for the provider; `core-105b` by default. */
  readonly modelName?: string
}

/** Verdict of a judge. */
export interface Verdict {
  readonly passes: boolean
  /** Reason of a vote of the majority. */
  readonly reason: string
  /** Votes in favour, and all of them. */
  readonly inFavour: number
  readonly votes: number
}

/** Agreement of a judge with the 200 labelled transcripts. */
export interface JudgeAgreement {
  readonly agreed: number
  readonly of: number
  /** Share from 0 to 1, with the ends of Wilson's interval of 95 %. */
  readonly share: number
  readonly low: number
  readonly high: number
  /** Calls that the judge passed and should not have, and those that it should have passed. */
  readonly falsePasses: number
  readonly falseFails: number
  readonly rubrics: ReadonlyArray<{ readonly rubric: string; readonly agreed: number; readonly of: number }>
  /** One line about it. */
  readonly line: string
}

/** A judge of calls by rules in words. */
export interface Judge {
  /** Judges a call by a rule, such as `The agent tells the price before the caller agrees`. */
  readonly ask: (call: TestedCall, rubric: string) => Promise<Verdict>
  /** Rejects with a `CallError` that has the judge's reason when the call does not pass. */
  readonly expect: (call: TestedCall, rubric: string) => Promise<void>
  /** Judges the 200 labelled transcripts, so that the error of the judge is known. */
  readonly agreement: () => Promise<JudgeAgreement>
}

/**
 * Makes a judge from a model. Its verdict follows from the words of the call, not from their times.
 *
 * @example
 * ```ts
 * const judge = makeJudge({ model: openai({ apiKey }), folder: "test/verdicts", votes: 3 })
 * await judge.expect(call, "The agent repeats the day and the time before it books")
 * ```
 */
export const makeJudge = ({ folder, model, modelName = "core-105b", votes = 1 }: JudgeOptions): Judge => {
  const judgeModel = folder === undefined ? model : cachedModel(model, folder)

  const voteOn = async (rubric: string, transcript: string, seed: number) => {
    const answer = await askModel(judgeModel, {
      model: modelName,
      messages: [
        { role: "system", content: judgeInstructions },
        { role: "user", content: judgeQuestion(rubric, transcript) }
      ],
      format: { type: "json" },
      effort: null,
      sampling: { temperature: votes === 1 ? 0 : 0.7, seed }
    })
    const vote = readVote(answer)
    if (vote === null) throw new Error(`The judge gave no verdict. Its answer was: ${answer.slice(0, 300)}`)
    return vote
  }

  const judge = async (rubric: string, transcript: string): Promise<Verdict> => {
    const ballots = await Promise.all(
      Array.from({ length: votes }, (_, index) => voteOn(rubric, transcript, index + 1))
    )
    return { ...majority(ballots), inFavour: ballots.filter(({ passes }) => passes).length, votes }
  }

  const ask = (call: TestedCall, rubric: string) => judge(rubric, judgedTranscript(call))

  return {
    ask,
    expect: async (call, rubric) => {
      const { inFavour, passes, reason } = await ask(call, rubric)
      if (!passes) throw new CallError([`The judge (${inFavour} of ${votes} in favour): ${rubric}`, reason], call)
    },
    agreement: async () => {
      const judgements = []
      for (const label of labelledTranscripts) {
        judgements.push({ label, passes: (await judge(label.rubric, label.transcript)).passes })
      }
      const agreement = agreementOf(judgements)
      return { ...agreement, line: agreementLine(agreement) }
    }
  }
}
