import type { HttpBody } from "@effect/platform/HttpBody"
import { Predicate } from "effect"

/** Attributes that the exporter adds to every failed span, which say that it was interrupted. */
const wrong = new Set(["span.label", "status.interrupted"])

const records = (value: unknown, key: string): ReadonlyArray<Record<string, unknown>> => {
  const list: unknown = Predicate.isObject(value) ? Reflect.get(value, key) : undefined
  return Array.isArray(list) ? list.filter(Predicate.isRecord) : []
}

/**
 * Corrects spans of the exporter to the rules of OpenTelemetry: a success has no status, and a failure no attributes of an
 * interruption.
 */
const correct = (span: Record<string, unknown>): Record<string, unknown> => {
  const code = Predicate.isRecord(span["status"]) ? span["status"]["code"] : undefined
  return code === 2
    ? { ...span, attributes: records(span, "attributes").filter(({ key }) => !wrong.has(String(key))) }
    : { ...span, status: { code: 0 } }
}

/** Corrects the spans of an export before they are written. */
export const corrected = (write: (data: unknown) => HttpBody) => (data: unknown): HttpBody =>
  write({
    resourceSpans: records(data, "resourceSpans").map((resource) => ({
      ...resource,
      scopeSpans: records(resource, "scopeSpans").map((scope) => ({
        ...scope,
        spans: records(scope, "spans").map(correct)
      }))
    }))
  })
