import { HashMap, Inspectable, Layer, Logger, LogLevel, Option } from "effect"
import { redacted } from "../errors/RedactedLog.js"
import type { LogFormatOption, LoggerOption, LogLevelOption } from "./LoggerOptions.js"

const levels: Readonly<Record<LogLevelOption, LogLevel.LogLevel>> = {
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warn: LogLevel.Warning,
  error: LogLevel.Error,
  none: LogLevel.None
}

const methodOf = (level: LogLevel.LogLevel): keyof LoggerOption =>
  LogLevel.greaterThanEqual(level, LogLevel.Error)
    ? "error"
    : LogLevel.greaterThanEqual(level, LogLevel.Warning)
    ? "warn"
    : LogLevel.greaterThanEqual(level, LogLevel.Info)
    ? "info"
    : "debug"

/** A message in one text: its parts, and its annotations. */
const textOf = ({ annotations, message }: Logger.Logger.Options<unknown>): string =>
  [
    ...(Array.isArray(message) ? message : [message]).map((part) => Inspectable.toStringUnknown(part, 0)),
    ...Array.from(HashMap.entries(annotations), ([name, value]) => `${name}=${Inspectable.toStringUnknown(value, 0)}`)
  ].join(" ")

/** Loggers that write to standard error, one line for each message but for `pretty`. */
const standardError: Readonly<Record<LogFormatOption, () => Logger.Logger<unknown, void>>> = {
  json: () => Logger.withConsoleError(Logger.jsonLogger),
  logfmt: () => Logger.withConsoleError(Logger.logfmtLogger),
  pretty: () => Logger.prettyLogger({ stderr: true })
}

/** Messages to an object of the host. One that it throws at goes to standard error. */
const toHost = (logger: LoggerOption): Logger.Logger<unknown, void> =>
  Logger.make((options) => {
    try {
      logger[methodOf(options.logLevel)](textOf(options))
    } catch {
      standardError.logfmt().log(options)
    }
  })

/** Options of `loggerLayer`. */
interface LoggerSettings {
  readonly logger?: LoggerOption
  readonly logLevel?: LogLevelOption
  readonly logFormat?: LogFormatOption
}

/**
 * Sends messages of the engine to a logger, or to standard error. All of them are redacted. Fibers that fail are not reported by
 * themselves: their errors may repeat personal data that no pattern finds.
 */
export const loggerLayer = (
  { logFormat = "logfmt", logLevel = "info", logger }: LoggerSettings
): Layer.Layer<never> =>
  Layer.mergeAll(
    Logger.replace(Logger.defaultLogger, redacted(logger === undefined ? standardError[logFormat]() : toHost(logger))),
    Logger.minimumLogLevel(levels[logLevel]),
    Layer.setUnhandledErrorLogLevel(Option.none())
  )
