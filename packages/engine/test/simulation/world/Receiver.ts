import { HttpSender, SendFailed } from "@trunkline/webhooks"
import { Duration, Effect, type Layer } from "effect"
import { type Conditions, pickOutcome, type ReceiverOutcome } from "./Conditions.js"
import type { SeededRandom } from "./SeededRandom.js"
import { parseWebhook } from "./Snapshots.js"
import type { World } from "./World.js"

/** Failures of a webhook after which the receiver accepts it. */
const maxFailures = 3

/** Webhook receiver, which records its requests and may be down for a while. */
export class Receiver {
  readonly #random: SeededRandom
  readonly #tries = new Map<string, number>()

  constructor(
    readonly world: World,
    readonly conditions: Conditions,
    /** Downtime, in milliseconds since the run began. */
    readonly down: { readonly from: number; readonly until: number }
  ) {
    this.#random = world.random("receiver")
  }

  /** Sender that delivers to this receiver. */
  get sender(): Layer.Layer<HttpSender> {
    return HttpSender.layerOf(({ body, headers, timeout }) =>
      Effect.async((resume) => this.#take(headers["webhook-id"] ?? "", body, Duration.toMillis(timeout), resume))
    )
  }

  #take(
    id: string,
    body: Uint8Array,
    timeout: number,
    resume: (
      answer: Effect.Effect<{ readonly status: number; readonly headers: Readonly<Record<string, string>> }, SendFailed>
    ) => void
  ): void {
    const { world } = this
    const failed = (after: number) => world.after(after, () => resume(new SendFailed({ reason: "no answer" })))
    const isDown = world.elapsed >= this.down.from && world.elapsed < this.down.until
    if (isDown) return failed(50)
    const life = world.life?.number
    const write = (status: number | null) =>
      world.add({ kind: "posted", webhook: id, ...parseWebhook(body), status }, life)
    const answer = (status: number) => {
      write(status)
      world.after(100, () => resume(Effect.succeed({ status, headers: {} })))
    }
    const tries = (this.#tries.get(id) ?? 0) + 1
    this.#tries.set(id, tries)
    const outcome = pickOutcome<ReceiverOutcome>(this.#random, this.conditions.receiver, "takes")
    switch (tries > maxFailures ? "takes" : outcome) {
      case "takes":
        return answer(200)
      case "fails":
        return answer(503)
      case "refuses":
        return answer(404)
      case "slow":
        write(null)
        return failed(timeout)
      case "lost":
        write(null)
        return failed(200)
    }
  }
}
