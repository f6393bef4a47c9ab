/** Receiver of the messages of an engine, such as `console` or a logger of pino or winston. */
export interface LoggerOption {
  /** Receives a message as one text. */
  readonly debug: (message: string) => unknown
  readonly info: (message: string) => unknown
  readonly warn: (message: string) => unknown
  readonly error: (message: string) => unknown
}

/** Form of the lines on standard error: `json` for machines, `logfmt` for both, and `pretty` for people. */
export type LogFormatOption = "json" | "logfmt" | "pretty"

/** The lowest level of the messages that are logged. */
export type LogLevelOption = "debug" | "info" | "warn" | "error" | "none"

/** Names of log formats. */
export const formatNames = ["json", "logfmt", "pretty"] as const satisfies ReadonlyArray<LogFormatOption>

/** Names of log levels. */
export const levelNames = ["debug", "info", "warn", "error", "none"] as const satisfies ReadonlyArray<LogLevelOption>
