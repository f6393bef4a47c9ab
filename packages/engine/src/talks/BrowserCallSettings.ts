import { Schema } from "effect"

/** Options of calls from browsers in a configuration. */
export const BrowserCallSettings = Schema.Struct({
  /** False refuses calls from browsers; on when absent. */
  enabled: Schema.optional(Schema.Boolean),
  /**
   * Origins of the pages that may open a call, such as `https://www.example.com`. When absent, any page that has a token, and
   * programs, which have no origin.
   */
  origins: Schema.optional(Schema.Array(
    Schema.String.pipe(
      Schema.pattern(/^https?:\/\/[^/\s]+$/, {
        message: () => "Must be an origin, such as https://www.example.com: no path and no slash at its end"
      })
    )
  )),
  /** Calls from browsers that a workspace may have at once; 50 when absent. */
  max_concurrent: Schema.optional(Schema.Int.pipe(Schema.between(1, 100_000))),
  /** Longest call in seconds; 1,800 when absent. */
  max_duration_seconds: Schema.optional(Schema.Int.pipe(Schema.between(1, 14_400))),
  /** Address of this server for browsers with its prefix, such as `https://voice.example.com`; when absent, tokens come with a path. */
  public_url: Schema.optional(Schema.String.pipe(
    Schema.pattern(/^https?:\/\/[^?#\s]*[^/?#\s]$/, {
      message: () => "Must be the address of the server, such as https://voice.example.com, without a slash at its end"
    })
  ))
})
export type BrowserCallSettings = typeof BrowserCallSettings.Type
