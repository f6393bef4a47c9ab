import { Data } from "effect"

/** There is no database where one was looked for. */
export class DatabaseMissing extends Data.TaggedError("DatabaseMissing")<{ readonly file: string }> {
  override get message() {
    return `There is no database at ${this.file}`
  }
}
