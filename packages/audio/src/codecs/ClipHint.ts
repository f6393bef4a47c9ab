import type { Clip } from "./AudioCodecs.js"

/** What is known of a clip beside its bytes. */
export type ClipHint = Pick<Clip, "filename" | "contentType">

/** What a content type and a filename say. */
export interface HintParts {
  /** The content type in lower case and without parameters; empty when there is none. */
  readonly type: string
  /** The parameters of the content type, their names in lower case. */
  readonly parameters: ReadonlyMap<string, string>
  /** The last part of the filename behind a dot, in lower case; empty when there is none. */
  readonly extension: string
}

/** The parts of a hint. */
export const partsOfHint = ({ contentType, filename }: ClipHint): HintParts => {
  const [type = "", ...parameters] = (contentType ?? "").split(";").map((part) => part.trim())
  const pairs = parameters.map((parameter): [string, string] => {
    const [name = "", value = ""] = parameter.split("=").map((part) => part.trim())
    return [name.toLowerCase(), value.replaceAll("\"", "")]
  })
  const [, extension = ""] = /\.([^./\\]+)$/.exec(filename ?? "") ?? []
  return { type: type.toLowerCase(), parameters: new Map(pairs), extension: extension.toLowerCase() }
}
