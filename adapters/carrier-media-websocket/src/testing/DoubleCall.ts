import type { EndedBy } from "@trunkline/telephony"
import { WebSocket } from "ws"
import type { Asked, DoubleCallFacts, DoubleDialect, DoubleState, SentRequest } from "./DoubleDialect.js"
import { connectPerson, type DoublePerson } from "./DoublePerson.js"
import { connectRelay, type RelayPerson } from "./RelayPerson.js"

/** Reaction of a number that is called. */
export type Reaction =
  /** `tellsFirst`: the verdict about a machine comes before the stream opens. */
  | {
    readonly kind: "answers"
    readonly afterMillis: number
    readonly isMachine?: boolean
    readonly tellsFirst?: boolean
  }
  | { readonly kind: "busy" | "no_answer" | "invalid" | "refused" | "rejected" }

/** Delivery of the reports of a double. */
export type DoubleDelivery = "promptly" | "late" | "twice" | "backwards" | "never"

const finals: ReadonlyArray<DoubleState> = ["completed", "busy", "no_answer", "failed", "cancelled"]

/** A call of a double. */
export class DoubleCall {
  facts: DoubleCallFacts
  /** The person, once the stream is open. */
  person: DoublePerson | null = null
  /** The person of a call with words. */
  relay: RelayPerson | null = null
  /** Close code of the last stream; null while there is none. */
  closed: number | null = null
  /** Status and body of the host's reply to the last question; null without one. */
  reply: { readonly status: number; readonly body: string } | null = null
  /** Statuses of the host's replies to reports. */
  readonly replies: Array<number> = []
  /** Longest duration that the host has asked for; null for none. */
  limitSeconds: number | null = null
  /** Address of the stream; null until the host has told it. */
  streamUrl: string | null = null
  private statusUrl: string | null = null
  private readonly timers = new Set<ReturnType<typeof setTimeout>>()
  private isMuted = false

  constructor(
    private readonly dialect: DoubleDialect,
    facts: DoubleCallFacts,
    private readonly world: {
      readonly delivery: () => DoubleDelivery
      readonly problems: Array<string>
      /** Reports that wait to be sent in the other order. */
      readonly heldReports: Array<() => Promise<void>>
    }
  ) {
    this.facts = facts
  }

  get isOver(): boolean {
    return finals.includes(this.facts.state)
  }

  /** Calls the number. */
  dial(creation: Extract<Asked, { readonly _tag: "Create" }>, reaction: Reaction): void {
    this.statusUrl = creation.statusUrl
    this.limitSeconds = creation.limitSeconds
    this.later(20, () => this.move("ringing"))
    if (reaction.kind === "answers") {
      const { isMachine = false, tellsFirst = false } = reaction
      this.later(20 + reaction.afterMillis, async () => {
        const { machineUrl } = creation
        const tell = async () => {
          if (machineUrl !== null) await this.send(this.dialect.machine(this.facts, machineUrl, isMachine))
        }
        if (tellsFirst) await tell()
        this.answer(creation)
        if (!tellsFirst) this.later(50, () => void tell())
      })
    } else if (reaction.kind === "no_answer") this.later(creation.ringSeconds * 1000, () => this.settle("no_answer"))
    else this.later(40, () => this.settle(reaction.kind === "busy" ? "busy" : "failed"))
  }

  /** Asks the host what to do with a call that has come in. */
  askFor(url: string): void {
    void this.ask(url)
  }

  /** Opens the stream of the call. */
  connect(url: string): void {
    this.streamUrl = url
    this.move("talking")
    if (this.dialect.isRelay === true) {
      const { direction, from, id, to } = this.facts
      this.relay = connectRelay(url, this.dialect.handshake(url), {
        setup: { sessionId: `VX${id.slice(2)}`, callSid: id, from, to, direction, callStatus: "IN-PROGRESS" },
        reconnectMillis: this.dialect.reconnectMillis ?? 0,
        tellsVoice: this.dialect.tellsVoice ?? true,
        ...(this.dialect.tokenFields !== undefined && { tokenFields: this.dialect.tokenFields }),
        onClosed: (code) => {
          this.closed = code
          this.settle("completed")
        }
      })
      return
    }
    const socket = new WebSocket(url, { headers: this.dialect.handshake(url) })
    socket.on("error", () => undefined)
    socket.on("close", (code) => {
      this.closed = code
      if (this.person === null) this.settle("completed")
    })
    socket.on("open", () => {
      const streamId = `stream-${this.facts.id}`
      this.dialect.begin(this.facts, streamId).forEach((message) => socket.send(message))
      this.person = connectPerson(this.dialect, socket, {
        streamId,
        goodbye: () => this.dialect.stop(this.facts, streamId),
        onOver: () => this.settle("completed")
      })
    })
  }

  /** Ends the call by one side. */
  end(by: EndedBy): void {
    if (this.isOver) return
    if (this.facts.state !== "talking") return this.settle("cancelled")
    this.person?.stop(by)
    this.relay?.leave()
    this.settle("completed")
  }

  /** Breaks the connection of the stream without a word. */
  breakStream(): void {
    this.person?.stop("provider", true)
  }

  /** Ends the call with a state; does nothing when it has ended. */
  settle(state: DoubleState): void {
    if (this.isOver) return
    this.clearTimers()
    this.move(state)
  }

  /** Drops the call without a report. */
  abandon(): void {
    this.isMuted = true
    this.clearTimers()
    this.person?.stop("provider", true)
    this.relay?.breakFor(null)
  }

  private answer(creation: Extract<Asked, { readonly _tag: "Create" }>): void {
    if (creation.stream === "panel") this.world.problems.push("the panel of the account is empty")
    else if ("askAt" in creation.stream) {
      this.move("talking")
      void this.ask(creation.stream.askAt)
    } else this.connect(creation.stream.url)
  }

  private async ask(url: string): Promise<void> {
    const askedAt = performance.now()
    const reply = await this.send(this.dialect.ask(this.facts, url))
    if (reply === null) return
    this.reply = reply
    if (performance.now() - askedAt > (this.dialect.askMillis ?? Infinity)) {
      this.world.problems.push("the reply to a call that came in was late")
      return this.settle("failed")
    }
    const instruction = reply.status === 204 || reply.body === "" ? null : this.dialect.readInstructions(reply.body)
    if (instruction === null) return
    if ("streamUrl" in instruction) this.connect(instruction.streamUrl)
    else this.settle("failed")
  }

  private move(state: DoubleState): void {
    if (this.facts.state === state) return
    this.facts = { ...this.facts, state }
    if (this.statusUrl === null) return
    const request = this.dialect.status(this.facts, this.statusUrl)
    if (request !== null) void this.deliver(request)
  }

  private async deliver(request: SentRequest): Promise<void> {
    const arrive = async () => {
      const reply = await this.send(request)
      if (reply !== null) this.replies.push(reply.status)
    }
    switch (this.world.delivery()) {
      case "promptly":
        return arrive()
      case "late":
        return void this.later(80, arrive)
      case "twice":
        await arrive()
        return arrive()
      case "backwards":
        this.world.heldReports.unshift(arrive)
        return void setTimeout(async () => {
          for (const one of this.world.heldReports.splice(0)) await one()
        }, 30)
      case "never":
    }
  }

  private async send(request: SentRequest | null): Promise<{ readonly status: number; readonly body: string } | null> {
    if (request === null || this.isMuted) return null
    const { body, headers, method, url } = request
    try {
      const response = await fetch(url, { method, headers, ...(method === "POST" && { body }) })
      return { status: response.status, body: await response.text() }
    } catch {
      return null
    }
  }

  private later(millis: number, act: () => unknown): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      act()
    }, millis)
    this.timers.add(timer)
  }

  private clearTimers(): void {
    this.timers.forEach(clearTimeout)
    this.timers.clear()
  }
}
