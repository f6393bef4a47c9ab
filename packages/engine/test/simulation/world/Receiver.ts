import { HttpSender, SendFailed } from "@trunkline/webhooks"
import { Duration, Effect, type Layer } from "effect"
import type { Dice } from "./Dice.js"
import { webhookSeen } from "./Seen.js"
import { fateOf, type ReceiverFate, type Weather } from "./Weather.js"
import type { World } from "./World.js"

/** How often one webhook may fail: then the receiver has recovered. */
const PATIENCE = 3

/** Somebody else's server, with a journal of its own. It may be down for a while. */
export class Receiver {
  readonly #dice: Dice
  readonly #tries = new Map<string, number>()

  constructor(
    readonly world: World,
    readonly weather: Weather,
    /** While it is down, in milliseconds of the run. */
    readonly down: { readonly from: number; readonly until: number }
  ) {
    this.#dice = world.dice("receiver")
  }

  /** How the engine reaches it. */
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
      world.add({ kind: "posted", webhook: id, ...webhookSeen(body), status }, life)
    const answer = (status: number) => {
      write(status)
      world.after(100, () => resume(Effect.succeed({ status, headers: {} })))
    }
    const tries = (this.#tries.get(id) ?? 0) + 1
    this.#tries.set(id, tries)
    const fate = fateOf<ReceiverFate>(this.#dice, this.weather.receiver, "takes")
    switch (tries > PATIENCE ? "takes" : fate) {
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
