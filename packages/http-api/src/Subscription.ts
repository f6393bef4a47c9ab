import type { HttpServerRequest } from "@effect/platform"
import { Duration } from "effect"

/** Whether an answer is a stream of server-sent events. */
export const isEventStream = (contentType = ""): boolean => contentType.startsWith("text/event-stream")

/** Whether an answer is an event stream that was asked for with GET, which has no end of its own: closing must end it. */
export const isSubscription = (
  { method }: Pick<HttpServerRequest.HttpServerRequest, "method">,
  contentType?: string
): boolean => method === "GET" && isEventStream(contentType)

/** How long a client that reads nothing may hold up the closing of its event stream: 3 seconds. */
export const subscriptionPatience = Duration.seconds(3)
