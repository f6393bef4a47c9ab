import { EngineFaults } from "@trunkline/kernel"
import { Effect, Logger, LogLevel } from "effect"

/** Runs a conversation that is no call: the log, the host and the spans hear nothing of what it cannot do. */
export const aside = <A, E, R>(conversation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  conversation.pipe(
    Effect.provideService(EngineFaults, { report: () => Effect.void }),
    Logger.withMinimumLogLevel(LogLevel.None),
    Effect.withTracerEnabled(false)
  )
