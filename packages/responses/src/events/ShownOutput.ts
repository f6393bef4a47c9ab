import type { PartPlace, Showing } from "../output/Showing.js"
import { partShown, summaryShown } from "../output/Slot.js"
import type { DeltaFrame, Frames } from "./Frames.js"

/** Shows an output as the events of a stream. */
export const showingIn = (frames: Frames): Showing => {
  let grown: DeltaFrame = () => {}

  return {
    itemAdded: (output_index, item) => frames.add({ type: "response.output_item.added", output_index, item }),
    itemDone: (output_index, item) => frames.add({ type: "response.output_item.done", output_index, item }),
    partAdded: (place) => {
      grown = addPart(frames, place)
    },
    grown: (text) => grown(text),
    partDone: (place) => endPart(frames, place)
  }
}

const inItem = ({ itemId, outputIndex }: PartPlace) => ({ item_id: itemId, output_index: outputIndex })

const addPart = (frames: Frames, place: PartPlace): DeltaFrame => {
  const { part, partIndex } = place
  const inContent = { ...inItem(place), content_index: partIndex }
  const inSummary = { ...inItem(place), summary_index: partIndex }
  const empty = { ...part, text: "" }
  switch (part.kind) {
    case "output_text":
      frames.add({ type: "response.content_part.added", ...inContent, part: partShown(empty) })
      return frames.prepare({ type: "response.output_text.delta", ...inContent, logprobs: [] })
    case "refusal":
      frames.add({ type: "response.content_part.added", ...inContent, part: partShown(empty) })
      return frames.prepare({ type: "response.refusal.delta", ...inContent })
    case "summary_text":
      frames.add({ type: "response.reasoning_summary_part.added", ...inSummary, part: summaryShown(empty) })
      return frames.prepare({ type: "response.reasoning_summary_text.delta", ...inSummary })
    case "arguments":
      return frames.prepare({ type: "response.function_call_arguments.delta", ...inItem(place) })
  }
}

const endPart = (frames: Frames, place: PartPlace): void => {
  const { name, part, partIndex } = place
  const inContent = { ...inItem(place), content_index: partIndex }
  const inSummary = { ...inItem(place), summary_index: partIndex }
  switch (part.kind) {
    case "output_text":
      frames.add({ type: "response.output_text.done", ...inContent, text: part.text, logprobs: [] })
      return frames.add({ type: "response.content_part.done", ...inContent, part: partShown(part) })
    case "refusal":
      frames.add({ type: "response.refusal.done", ...inContent, refusal: part.text })
      return frames.add({ type: "response.content_part.done", ...inContent, part: partShown(part) })
    case "summary_text":
      frames.add({ type: "response.reasoning_summary_text.done", ...inSummary, text: part.text })
      return frames.add({ type: "response.reasoning_summary_part.done", ...inSummary, part: summaryShown(part) })
    case "arguments":
      return frames.add({
        type: "response.function_call_arguments.done",
        ...inItem(place),
        name,
        arguments: part.text
      })
  }
}
