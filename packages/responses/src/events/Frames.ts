import { sseFrame } from "@trunkline/kernel"
import type { ResponseError } from "../resource/ResponseResource.js"
import type { DeltaEvent, ResourceEvent, StepEvent } from "./ResponseEvent.js"

type Unnumbered<Event, Key extends string = never> = Event extends unknown ? Omit<Event, "sequence_number" | Key>
  : never

/** An event in which only the text is missing. */
export type DeltaFrame = (text: string) => void

/** Writes events as server-sent events, numbered from 0, and keeps them until they are taken. */
export interface Frames {
  readonly add: (event: Unnumbered<StepEvent>) => void
  /** An event with a whole response, which is JSON already, and the error of one that failed. */
  readonly addWhole: (type: ResourceEvent["type"], response: string, error?: ResponseError | null) => void
  /** Prepares the events of one text, so that each piece of it costs no more than its own writing. */
  readonly prepare: (event: Unnumbered<DeltaEvent, "delta">) => DeltaFrame
  /** What was written since the last time. */
  readonly take: () => Array<Uint8Array>
}

/** Frames of one stream. */
export const makeFrames = (): Frames => {
  let written: Array<Uint8Array> = []
  let next = 0

  const put = (type: string, fields: string) => {
    written.push(sseFrame(`{"type":"${type}","sequence_number":${next},${fields}}`, type))
    next += 1
  }
  const fieldsOf = (event: object) => JSON.stringify(event).slice(1, -1)

  return {
    add: ({ type, ...fields }) => put(type, fieldsOf(fields)),
    addWhole: (type, response, error = null) =>
      put(type, `"response":${response}${error === null ? "" : `,"error":${JSON.stringify(error)}`}`),
    prepare: ({ type, ...fields }) => {
      const known = fieldsOf(fields)
      return (text) => put(type, `${known},"delta":${JSON.stringify(text)}`)
    },
    take: () => {
      const taken = written
      written = []
      return taken
    }
  }
}
