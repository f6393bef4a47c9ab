import { mulaw } from "@trunkline/audio"
import { act, hasTools, pause, receive, request, sdp, startSipp } from "@trunkline/carrier-sip/testing"
import { Effect, Either } from "effect"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { start } from "./processes.js"
import { publish } from "./published.js"
import { report } from "./report.js"
import { measureCodec } from "./sip-codec.js"
import { measureSipMedia, sipMediaProgram } from "./sip-media.js"
import type { Figures } from "./sip-program.js"
import { measureSecure } from "./sip-secure.js"
import { measureWide } from "./sip-wide.js"

/** Calls at the same time, and their duration in seconds. */
const callCount = 200
const secondCount = 60

const parse = (message: unknown): Figures => JSON.parse(String(message))

const figuresOf = async (agent: ChildProcess): Promise<Figures> => {
  const answer = once(agent, "message")
  agent.send("figures")
  return parse((await answer)[0])
}

/** Calls of sipp that hold for some milliseconds, with sound if a file of it is given. */
const callsOfSipp = (port: number, options: {
  readonly calls: number
  readonly rate: number
  readonly millis: number
  readonly sound?: Uint8Array
}): Promise<{ readonly held: boolean; readonly seconds: number }> => {
  const { calls, millis, rate, sound } = options
  const startedAt = performance.now()
  return Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    const sipp = yield* startSipp({
      remote: port,
      service: "+911140000001",
      calls,
      rate,
      timeout: 300,
      limit: 2 * Math.max(calls, callCount),
      ...(sound !== undefined && { files: { "tone.ul": sound } }),
      steps: [
        request("INVITE", { inDialog: false, body: sdp({ codecs: "0" }) }),
        receive(100, { optional: true }),
        receive(180, { optional: true }),
        receive(200),
        request("ACK"),
        ...(sound === undefined ? [] : [act(`<exec rtp_stream="tone.ul,-1,0,PCMU/8000"/>`)]),
        pause(millis),
        request("BYE", { cseq: 2 }),
        receive(200)
      ]
    })
    const outcome = yield* Effect.either(sipp.outcome)
    return { held: Either.isRight(outcome), seconds: (performance.now() - startedAt) / 1_000 }
  })))
}

/** 200 calls of sipp with sound in both directions for a minute. */
const measureCalls = async (): Promise<void> => {
  const { child, firstMessage } = await start("sip-program", ["agent"])
  const sound = mulaw.encode(Float32Array.from({ length: 80_000 }, (_, at) => 0.3 * Math.sin(at / 5)))
  const calling = callsOfSipp(Number(firstMessage), {
    calls: callCount,
    rate: 20,
    millis: (secondCount + callCount / 20) * 1_000,
    sound
  })
  await new Promise((resolve) => setTimeout(resolve, callCount / 20 * 1_000 + 2_000))
  child.send("begin")
  await new Promise((resolve) => setTimeout(resolve, (secondCount - 10) * 1_000))
  const { calls = 0, concealed = 0, cpu = Number.NaN, heard = 0 } = await figuresOf(child)
  const { held } = await calling
  child.kill()
  report({
    path: `${callCount} calls of sipp with sound both ways for ${secondCount} s, CPU a call`,
    ours: `${(cpu / callCount * 100).toFixed(3)} % of a core`,
    peer: "none",
    ratio: `${held ? 0 : "some"} of ${calls} failed, ${concealed} of ${heard} frames concealed`,
    goal: "0.25 %, none failed"
  })
}

/** Set-ups a second, more than the goal, since the start of sipp and the last calls count as well. */
const setups = 120

/** Set-ups a second, without sound of the caller. */
const measureSetups = async (): Promise<void> => {
  const { child, firstMessage } = await start("sip-program", ["agent"])
  child.send("begin")
  const { held, seconds } = await callsOfSipp(Number(firstMessage), { calls: 2_000, rate: setups, millis: 100 })
  const { cpu = Number.NaN } = await figuresOf(child)
  child.kill()
  report({
    path: `2,000 calls of sipp that begin at ${setups} a second and end after 100 ms`,
    ours: `${(2_000 / seconds).toFixed(0)} a second`,
    peer: "none",
    ratio: `${held ? "none" : "some"} failed, ${(cpu * 100).toFixed(0)} % of a core`,
    goal: "100 a second"
  })
}

/** Time from the answer to the first packet of the greeting, with so many calls. */
const measureGreeting = async (count: number): Promise<void> => {
  const { child, firstMessage } = await start("sip-program", ["agent"])
  const callers = await start("sip-program", ["callers", firstMessage, String(count)])
  const { greeting50 = Number.NaN, greeting99 = Number.NaN } = parse(callers.firstMessage)
  child.kill()
  report({
    path: `first packet of the greeting after the answer, ${count} calls`,
    ours: `p50 ${greeting50.toFixed(1)} ms, p99 ${greeting99.toFixed(1)} ms`,
    peer: "none",
    ratio: "",
    goal: "p99 100 ms"
  })
}

/** Cost and promptness of calls over SIP: signalling and sound with sipp, the sound alone, and the codec beside npm `sip`. */
export const run = async (): Promise<void> => {
  await publish("sip-program.ts", sipMediaProgram)
  if (hasTools("sipp")) {
    await measureCalls()
    await measureSetups()
  } else console.log("  sipp is not installed: its calls are left out")
  for (const count of [1, 50, 200]) await measureGreeting(count)
  if (hasTools("openssl")) await measureSecure()
  else console.log("  openssl is not installed: calls with TLS and SRTP are left out")
  await measureCodec()
  await measureSipMedia()
  await measureWide(callCount, secondCount)
}
