import { Schema } from "effect"
import { shortestSecret } from "../../assembly/Secrets.js"
import { recordingOf } from "../../options/speech/RecordingParts.js"
import { type Environment, optional } from "../ConfigFields.js"

/** Recording of calls with sound, in a configuration file. */
export const RecordingSettings = Schema.Struct({
  /** Records all calls but those whose agent or call says otherwise. */
  record_calls: optional(Schema.Boolean, () => false),
  /** Text that agents say first on calls that are recorded, where they have none of their own. */
  notice: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  /** Environment variable that holds the key of recordings; by default the key follows from the server's secret. */
  recording_key_env: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  /** Environment variables that hold earlier keys, which still decrypt. */
  previous_keys_env: optional(Schema.Array(Schema.NonEmptyString), (): ReadonlyArray<string> => [])
})
export type RecordingSettings = typeof RecordingSettings.Type

/** Variables of keys that are missing or too short, one line for each. */
export const recordingProblems = (
  { previous_keys_env, recording_key_env }: RecordingSettings,
  environment: Environment
): ReadonlyArray<string> =>
  [
    ...recording_key_env === undefined ? [] : [["recording.recording_key_env", recording_key_env] as const],
    ...previous_keys_env.map((name, index) => [`recording.previous_keys_env.${index}`, name] as const)
  ].flatMap(([path, name]) => {
    const value = environment[name]
    if (value === undefined || value === "") return [`${path}: the environment variable ${name} is not set`]
    return value.length < shortestSecret
      ? [`${path}: the value of ${name} must have at least ${shortestSecret} random characters`]
      : []
  })

/** Options of the engine for the settings, with the keys of the environment. */
export const recordingOptionsOf = (
  { notice, previous_keys_env, record_calls, recording_key_env }: RecordingSettings,
  environment: Environment
) =>
  recordingOf({
    recordCalls: record_calls,
    ...(notice !== undefined && { notice }),
    ...(recording_key_env !== undefined && { key: environment[recording_key_env] }),
    previousKeys: previous_keys_env.flatMap((name) => environment[name] ?? [])
  })
