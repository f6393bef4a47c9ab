import type { AttemptDetail } from "../api/types.js"

export type Message = NonNullable<AttemptDetail["transcript"]>["messages"][number]

/** A piece of speech or a tool on the time axis of a call, in seconds from its answer. */
export interface Piece {
  /** Place of its message in the transcript. */
  readonly place: number
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

/** Moment and length in seconds of a turn whose sound was heard; null without sound. */
const soundOf = (messages: ReadonlyArray<Message>, index: number, start: number) => {
  const { timings, turn_end } = messages[index] ?? {}
  if (timings !== undefined) return { at: secondsOf(timings.first_sound_at, start), spoken: null }
  if (turn_end === undefined || turn_end.spoken_ms === null) return null
  const answer = messages.slice(index + 1).find(({ role }) => role !== "tool")
  const ended = answer?.role === "agent" ? secondsOf(answer.timings?.ended_at ?? null, start) : null
  const spoken = turn_end.spoken_ms / 1000
  return ended === null ? null : { at: Math.max(0, ended - spoken), spoken }
}

/** Moment at which a turn of the person was over, with the sound of it. */
export interface TurnMark {
  readonly at: number
  readonly end: NonNullable<Message["turn_end"]>
}

/** The decisions that a turn of the person was over. */
export const marksOf = (messages: ReadonlyArray<Message>, start: number): ReadonlyArray<TurnMark> =>
  messages.flatMap(({ turn_end }, index) => {
    const sound = soundOf(messages, index, start)
    return turn_end === undefined || sound === null || sound.spoken === null || sound.at === null
      ? []
      : [{ at: sound.at + sound.spoken + turn_end.waited_ms / 1000, end: turn_end }]
  })

/**
 * Both sides on one axis. Turns with sound are where they sounded. A record of others has the moment at which each turn was over
 * or begun, so that their lengths are those that a text of its length takes, cut off where the next turn begins.
 */
export const piecesOf = (messages: ReadonlyArray<Message>, start: number, length: number): ReadonlyArray<Piece> => {
  const positioned = messages.flatMap((message, index) => {
    const sound = soundOf(messages, index, start)
    const at = sound?.at ?? secondsOf(message.timestamp, start)
    return at === null ? [] : [{ at, message, place: index, length: sound?.spoken ?? null }]
  })
  return positioned.map(({ at, length: heard, message: { en_text, indic_text, role }, place }, index) => {
    const next = positioned[index + 1]?.at ?? length
    const text = indic_text ?? en_text
    if (heard !== null) return { place, role, text, from: at, to: at + heard }
    const spoken = role === "tool" ? 0.4 : Math.max(0.6, text.length / lettersPerSecond)
    return {
      place,
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
    const start = Date.parse(timings.ended_at)
    const marks = [timings.words_at, timings.first_token_at, timings.first_clause_at, timings.first_sound_at]
    const steps: Array<Step> = []
    let before = 0
    marks.forEach((mark, index) => {
      if (mark === null) return
      const to = Math.max(before, Date.parse(mark) - start)
      steps.push({ title: titles[index] ?? "", from: before, to })
      before = to
    })
    return [{ text: indic_text ?? en_text, at: timestamp ?? timings.ended_at, steps, whole: before }]
  })
