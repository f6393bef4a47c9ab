import { scopeKey } from "@trunkline/kernel"
import { Effect, Redacted, Schema } from "effect"
import type { SqliteEngineOptions } from "../../assembly/Assemble.js"
import { shortestSecret } from "../../assembly/Secrets.js"
import type { RecordingOption } from "./RecordingOption.js"

const Key = Schema.String.pipe(
  Schema.minLength(shortestSecret, { message: () => `must have at least ${shortestSecret} random characters` })
)

/** Shape of the option, for its check. */
export const recordingShape = {
  recordCalls: Schema.optionalWith(Schema.Boolean, { exact: true }),
  notice: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  key: Schema.optional(Key),
  previousKeys: Schema.optionalWith(Schema.Array(Key), { exact: true })
}

/** Options of the engine for a `RecordingOption`. */
export const recordingOf = (
  { key, mayRecord, notice, previousKeys = [], recordCalls = false }: RecordingOption
): Pick<SqliteEngineOptions, "recording" | "recordingKeys"> => ({
  recordingKeys: [...key === undefined ? [] : [key], ...previousKeys].map((text) => Redacted.make(text)),
  recording: {
    recordCalls,
    ...(notice !== undefined && { notice }),
    ...(mayRecord !== undefined && {
      mayRecord: (
        { agent_phone_number, agent_variables, app_id, app_version, attempt_id, direction, scope, user_phone_number }
      ) =>
        Effect.map(
          Effect.promise(async () =>
            mayRecord({
              attempt_id,
              workspace: scopeKey(scope),
              app_id,
              app_version,
              direction,
              user_phone_number,
              agent_phone_number,
              variables: agent_variables
            })
          ),
          (answer) => answer === true
        )
    })
  }
})
