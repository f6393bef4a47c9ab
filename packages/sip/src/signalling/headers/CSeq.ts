import { Either } from "effect"
import { malformed, type MalformedHeader } from "./MalformedHeader.js"

/** Order of a request within its dialog: a value of CSeq (RFC 3261, section 20.16). */
export interface CSeq {
  /** Less than 2^31 (RFC 3261, section 8.1.1.5). */
  readonly number: number
  readonly method: string
}

const shape = /^(\d{1,10})[ \t]+([\w.!%*+`'~-]+)$/

/** Parses a value of CSeq. */
export const parseCSeq = (text: string): Either.Either<CSeq, MalformedHeader> => {
  const [, digits, method = ""] = shape.exec(text) ?? []
  if (digits === undefined) return malformed("The CSeq header field is malformed")
  const number = Number(digits)
  return number < 2 ** 31 ? Either.right({ number, method }) : malformed("The CSeq number is too large")
}

/** Writes a value of CSeq. */
export const writeCSeq = ({ method, number }: CSeq): string => `${number} ${method}`
