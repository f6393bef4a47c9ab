import { freePort, makeAuthority } from "@trunkline/carrier-sip/testing"
import { Effect } from "effect"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { start } from "./processes.js"
import { report } from "./report.js"
import type { Figures } from "./sip-program.js"

/** Calls at the same time, and seconds for which they are measured. */
const [CALLS, SECONDS] = [100, 30]

const figuresOf = async (agent: ChildProcess): Promise<Figures> => {
  const answer = once(agent, "message")
  agent.send("figures")
  return JSON.parse(String((await answer)[0]))
}

/** CPU of a call at the side that is called by another process of ours, as a share of a core. */
const measure = async (agentLine: object, callerLine: object): Promise<Figures> => {
  const agent = await start("sip-program", ["agent", JSON.stringify(agentLine)])
  const callers = await start("sip-program", ["lines", String(CALLS), JSON.stringify(callerLine)])
  agent.child.send("begin")
  await new Promise((resolve) => setTimeout(resolve, SECONDS * 1_000))
  const figures = await figuresOf(agent.child)
  callers.child.kill()
  agent.child.kill()
  return { ...figures, share: (figures["cpu"] ?? Number.NaN) / CALLS * 100 }
}

/** Adds the cost of TLS and SRTP to the report: the same calls between two processes without them and with them. */
export const measureSecure = (): Promise<void> =>
  Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    const authority = yield* makeAuthority
    const files = authority.issue("line", "IP:127.0.0.1")
    const tls = { ca_file: authority.ca_file, ...files }
    const at = (port: number) => ({ local: { address: "127.0.0.1", port } })
    const [plainPort, securePort, callerPort] = [yield* freePort(1), yield* freePort(1), yield* freePort(1)]
    const ports = { rtp_ports: { from: 40_000, to: 49_999 } }
    const plain = yield* Effect.promise(() =>
      measure(at(plainPort), { server: `sip:127.0.0.1:${plainPort}`, ...ports })
    )
    const secure = yield* Effect.promise(() =>
      measure({ ...at(securePort), tls, srtp: "required" }, {
        ...at(callerPort),
        ...ports,
        server: `sip:127.0.0.1:${securePort + 1};transport=tls`,
        tls,
        srtp: "required"
      })
    )
    const percent = ({ share = Number.NaN }: Figures) => share.toFixed(3)
    report({
      path: `${CALLS} calls between two processes with TLS and SRTP for ${SECONDS} s, CPU a call`,
      ours: `${percent(secure)} % of a core`,
      peer: `the same without them ${percent(plain)} %`,
      ratio: `${(Number(percent(secure)) / Number(percent(plain))).toFixed(2)} times, ${
        secure["calls"]
      } of ${CALLS} calls, ${secure["concealed"]} of ${secure["heard"]} frames concealed`,
      goal: "0.35 % of a core"
    })
  })))
