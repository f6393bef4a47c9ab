import { encodeTexts, sseText } from "@trunkline/kernel"
import type { OutputListener, PartPosition } from "../output/Output.js"
import { toOutputPart, toSummaryText } from "../output/Slot.js"
import type { ResponseError } from "../resource/ResponseResource.js"
import type { DeltaEvent, ResourceEvent, StepEvent } from "./ResponseEvent.js"

type Unnumbered<Event, Key extends string = never> = Event extends unknown ? Omit<Event, "sequence_number" | Key>
  : never

/** Writes one delta event with the given text. */
type DeltaWriter = (text: string) => void

/** Writes events as server-sent events, numbered from 0, and buffers them until they are taken. */
interface FrameWriter {
  readonly add: (event: Unnumbered<StepEvent>) => void
  /** Writes an event with a whole response, given as JSON, and the error of a failed one. */
  readonly addWhole: (type: ResourceEvent["type"], response: string, error?: ResponseError | null) => void
  /** Serializes the constant fields of a text's delta events once, so that a delta only costs its own text. */
  readonly prepare: (event: Unnumbered<DeltaEvent, "delta">) => DeltaWriter
  /** The frames written since the last call. */
  readonly take: () => ReadonlyArray<Uint8Array>
}

/** A writer for the frames of one stream. */
export const makeFrameWriter = (): FrameWriter => {
  let frames: Array<string> = []
  let next = 0

  const put = (type: string, fields: string) => {
    frames.push(sseText(`{"type":"${type}","sequence_number":${next},${fields}}`, type))
    next += 1
  }
  const fieldsOf = (event: object) => JSON.stringify(event).slice(1, -1)

  return {
    add: ({ type, ...fields }) => put(type, fieldsOf(fields)),
    addWhole: (type, response, error = null) =>
      put(type, `"response":${response}${error === null ? "" : `,"error":${JSON.stringify(error)}`}`),
    prepare: ({ type, ...fields }) => {
      const fixedFields = fieldsOf(fields)
      return (text) => put(type, `${fixedFields},"delta":${JSON.stringify(text)}`)
    },
    take: () => {
      const batch = frames
      frames = []
      return encodeTexts(batch)
    }
  }
}

/** Writes the growth of an output as the events of a stream. */
export const writingListener = (writer: FrameWriter): OutputListener => {
  let writeDelta: DeltaWriter = () => {}

  return {
    itemAdded: (output_index, item) => writer.add({ type: "response.output_item.added", output_index, item }),
    itemDone: (output_index, item) => writer.add({ type: "response.output_item.done", output_index, item }),
    partAdded: (position) => {
      writeDelta = addPart(writer, position)
    },
    textAdded: (text) => writeDelta(text),
    partDone: (position) => endPart(writer, position)
  }
}

const inItem = ({ itemId, outputIndex }: PartPosition) => ({ item_id: itemId, output_index: outputIndex })

const addPart = (writer: FrameWriter, position: PartPosition): DeltaWriter => {
  const { part, partIndex } = position
  const inContent = { ...inItem(position), content_index: partIndex }
  const inSummary = { ...inItem(position), summary_index: partIndex }
  const empty = { ...part, text: "" }
  switch (part.kind) {
    case "output_text":
      writer.add({ type: "response.content_part.added", ...inContent, part: toOutputPart(empty) })
      return writer.prepare({ type: "response.output_text.delta", ...inContent, logprobs: [] })
    case "refusal":
      writer.add({ type: "response.content_part.added", ...inContent, part: toOutputPart(empty) })
      return writer.prepare({ type: "response.refusal.delta", ...inContent })
    case "summary_text":
      writer.add({ type: "response.reasoning_summary_part.added", ...inSummary, part: toSummaryText(empty) })
      return writer.prepare({ type: "response.reasoning_summary_text.delta", ...inSummary })
    case "arguments":
      return writer.prepare({ type: "response.function_call_arguments.delta", ...inItem(position) })
  }
}

const endPart = (writer: FrameWriter, position: PartPosition): void => {
  const { name, part, partIndex } = position
  const inContent = { ...inItem(position), content_index: partIndex }
  const inSummary = { ...inItem(position), summary_index: partIndex }
  switch (part.kind) {
    case "output_text":
      writer.add({ type: "response.output_text.done", ...inContent, text: part.text, logprobs: [] })
      return writer.add({ type: "response.content_part.done", ...inContent, part: toOutputPart(part) })
    case "refusal":
      writer.add({ type: "response.refusal.done", ...inContent, refusal: part.text })
      return writer.add({ type: "response.content_part.done", ...inContent, part: toOutputPart(part) })
    case "summary_text":
      writer.add({ type: "response.reasoning_summary_text.done", ...inSummary, text: part.text })
      return writer.add({ type: "response.reasoning_summary_part.done", ...inSummary, part: toSummaryText(part) })
    case "arguments":
      return writer.add({
        type: "response.function_call_arguments.done",
        ...inItem(position),
        name,
        arguments: part.text
      })
  }
}
