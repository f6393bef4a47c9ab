import { type Params, readParams } from "./Params.js"

/** Type of a body: a value of Content-Type (RFC 3261, section 20.15). */
export interface MediaType {
  /** In lower case, such as `application/sdp`. */
  readonly type: string
  readonly params: Params
}

const shape = /^[ \t]*([\w.!%*+`'~#$&^|-]+)[ \t]*\/[ \t]*([\w.!%*+`'~#$&^|-]+)/

/** Parses a value of Content-Type; null if it is malformed. */
export const parseMediaType = (text: string): MediaType | null => {
  const [typeText = "", type = "", subtype = ""] = shape.exec(text) ?? []
  const params = typeText === "" ? null : readParams(text, typeText.length)
  return params && { type: `${type}/${subtype}`.toLowerCase(), params }
}
