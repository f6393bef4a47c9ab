import type { AttemptDetail } from "../api/types.js"

export type Message = NonNullable<AttemptDetail["transcript"]>["messages"][number]

/** A piece of speech or a tool on the time axis of a call, in seconds from its answer. */
export interface Piece {
  readonly role: Message["role"]
  readonly text: string
  readonly from: number
  readonly to: number
}

/** One step of an answer, in milliseconds from the last voice of the person. */
export interface Step {
  readonly title: string
  readonly from: number
  readonly to: number
}

/** An answer of the agent with its steps: heard, asked, first word, first sound. */
export interface AnswerSteps {
  readonly text: string
  readonly at: string
  readonly steps: ReadonlyArray<Step>
  readonly whole: number
}

const lettersPerSecond = 14

const secondsOf = (
  iso: string | null,
  start: number
) => (iso === null ? null : Math.max(0, (Date.parse(iso) - start) / 1000))

/**
 * Both sides on one axis. A record has the moment at which each turn was over or begun, so that lengths are those that a text of
 * its length takes, cut off where the next turn begins.
 */
export const piecesOf = (messages: ReadonlyArray<Message>, start: number, length: number): ReadonlyArray<Piece> => {
  const placed = messages.flatMap((message) => {
    const at = secondsOf(message.timestamp, start)
    return at === null ? [] : [{ at, message }]
  })
  return placed.map(({ at, message: { en_text, indic_text, role } }, index) => {
    const next = placed[index + 1]?.at ?? length
    const text = indic_text ?? en_text
    const spoken = role === "tool" ? 0.4 : Math.max(0.6, text.length / lettersPerSecond)
    return {
      role,
      text,
      from: at,
      to: Math.max(at + 0.3, Math.min(at + spoken, Math.max(next, at + 0.3), length || Infinity))
    }
  })
}

const titles = ["Words understood", "Model's first word", "First clause", "First sound"]

/** Steps of the answers that have timings; those without, as on lines without sound, are left out. */
export const answersOf = (messages: ReadonlyArray<Message>): ReadonlyArray<AnswerSteps> =>
  messages.flatMap(({ en_text, indic_text, timestamp, timings }) => {
    if (timings === undefined || timings.ended_at === null) return []
    const begun = Date.parse(timings.ended_at)
    const marks = [timings.words_at, timings.first_token_at, timings.first_clause_at, timings.first_sound_at]
    const steps: Array<Step> = []
    let before = 0
    marks.forEach((mark, index) => {
      if (mark === null) return
      const to = Math.max(before, Date.parse(mark) - begun)
      steps.push({ title: titles[index] ?? "", from: before, to })
      before = to
    })
    return [{ text: indic_text ?? en_text, at: timestamp ?? timings.ended_at, steps, whole: before }]
  })
