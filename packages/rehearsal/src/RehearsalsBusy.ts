import { Schema } from "effect"

/** So many rehearsals wait that no more are taken. */
export class RehearsalsBusy extends Schema.TaggedError<RehearsalsBusy>()("RehearsalsBusy", {}) {
  override get message() {
    return "Too many rehearsals are waiting: try again later"
  }
}
