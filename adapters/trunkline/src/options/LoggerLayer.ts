import { Cause, HashMap, Inspectable, Layer, Logger, LogLevel, Option } from "effect"
import type { LoggerOption, LogLevelOption } from "./LoggerOptions.js"

const levels: Readonly<Record<LogLevelOption, LogLevel.LogLevel>> = {
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warn: LogLevel.Warning,
  error: LogLevel.Error,
  none: LogLevel.None
}

/** Names of log levels. */
export const levelNames: ReadonlyArray<string> = Object.keys(levels)

const methodOf = (level: LogLevel.LogLevel): keyof LoggerOption =>
  LogLevel.greaterThanEqual(level, LogLevel.Error)
    ? "error"
    : LogLevel.greaterThanEqual(level, LogLevel.Warning)
    ? "warn"
    : LogLevel.greaterThanEqual(level, LogLevel.Info)
    ? "info"
    : "debug"

/** A message in one text: its parts, its annotations, and its cause. */
const textOf = ({ annotations, cause, message }: Logger.Logger.Options<unknown>): string =>
  [
    ...(Array.isArray(message) ? message : [message]).map((part) => Inspectable.toStringUnknown(part, 0)),
    ...Array.from(HashMap.entries(annotations), ([name, value]) => `${name}=${Inspectable.toStringUnknown(value, 0)}`),
    ...Cause.isEmpty(cause) ? [] : [Cause.pretty(cause)]
  ].join(" ")

/** On standard error, one line each. */
const standardError = Logger.withConsoleError(Logger.logfmtLogger)

/** Messages to an object of the host. One that it throws at goes to standard error. */
const toHost = (logger: LoggerOption): Logger.Logger<unknown, void> =>
  Logger.make((options) => {
    try {
      logger[methodOf(options.logLevel)](textOf(options))
    } catch {
      standardError.log(options)
    }
  })

/**
 * Sends messages of the engine to a logger. Fibers that fail are not reported by themselves: their errors may repeat phone numbers
 * and other personal data.
 */
export const loggerLayer = (
  { logLevel = "info", logger }: { readonly logger?: LoggerOption; readonly logLevel?: LogLevelOption }
): Layer.Layer<never> =>
  Layer.mergeAll(
    Logger.replace(Logger.defaultLogger, logger === undefined ? standardError : toHost(logger)),
    Logger.minimumLogLevel(levels[logLevel]),
    Layer.setUnhandledErrorLogLevel(Option.none())
  )
