import type { PhoneNumber } from "@trunkline/kernel"
import { Either } from "effect"
import type { CohortUser } from "../Cohort.js"
import type { CheckedRow, RejectedReason } from "./CheckedRow.js"
import { NumberSet } from "./NumberSet.js"
import { TextSet } from "./TextSet.js"

/** The digits of a number in E.164, of which there are at most 15, so that they fit a double. */
const digitsOf = (phone: PhoneNumber): number => {
  let digits = 0
  for (let index = 1; index < phone.length; index += 1) digits = digits * 10 + phone.charCodeAt(index) - 0x30
  return digits
}

/**
 * The people that a file has named so far: the first row of a number, and of an identifier, wins. A million people
 * with identifiers of a dozen characters take 48 MB.
 *
 * `seed` is any whole number of 32 bits. What is claimed does not depend on it; drawn at random, it keeps a file from
 * being made to be slow.
 */
export class SeenUsers {
  readonly #phones: NumberSet
  readonly #identifiers: TextSet

  constructor(seed = 0) {
    this.#phones = new NumberSet(seed)
    this.#identifiers = new TextSet(seed)
  }

  /** Takes a person in, or says what of it an earlier row took. A row that is refused takes nothing. */
  claim({ identifier, user }: CheckedRow): Either.Either<CohortUser, ReadonlyArray<RejectedReason>> {
    const digits = digitsOf(user.user_phone_number)
    if (identifier !== null && this.#identifiers.has(identifier)) {
      return Either.left([
        ...(this.#phones.has(digits) ? ["duplicate_phone_number" as const] : []),
        "duplicate_user_identifier" as const
      ])
    }
    if (!this.#phones.add(digits)) return Either.left(["duplicate_phone_number"])
    if (identifier !== null) this.#identifiers.add(identifier)
    return Either.right(user)
  }
}
