import { redact } from "@trunkline/kernel"
import { Cause, Context, FiberRef, FiberRefs, HashMap, Inspectable, Logger, Option, Tracer } from "effect"

/** A part of a message without secrets and personal data. Texts of objects are those of logs. */
const redactPart = (part: unknown): unknown => {
  switch (typeof part) {
    case "number":
    case "boolean":
    case "undefined":
      return part
    case "string":
      return redact(part)
    default:
      return part === null ? part : redact(Inspectable.toStringUnknown(part, 0))
  }
}

/** Ids of the span in which a message is logged; none where spans are not read. */
const spanIds = (refs: FiberRefs.FiberRefs): ReadonlyArray<readonly [name: string, id: string]> => {
  const span = Context.getOption(FiberRefs.getOrDefault(refs, FiberRef.currentContext), Tracer.ParentSpan)
  return Option.isSome(span) && /^[0-9a-f]{32}$/u.test(span.value.traceId)
    ? [["trace_id", span.value.traceId], ["span_id", span.value.spanId]]
    : []
}

/**
 * A logger that gets messages without keys, phone numbers, queries of URLs and the like: in their parts, their annotations and
 * their cause. It gets the ids of the current span beside them.
 */
export const redacted = (logger: Logger.Logger<unknown, void>): Logger.Logger<unknown, void> =>
  Logger.mapInputOptions(logger, (options: Logger.Logger.Options<unknown>) => {
    const { annotations, cause, context, message } = options
    return {
      ...options,
      message: Array.isArray(message) ? message.map(redactPart) : redactPart(message),
      annotations: HashMap.fromIterable([
        ...Array.from(HashMap.entries(annotations), ([name, value]) => [name, redactPart(value)] as const),
        ...spanIds(context),
        ...(Cause.isEmpty(cause) ? [] : [["cause", redact(Cause.pretty(cause))] as const])
      ]),
      cause: Cause.empty
    }
  })
