import { CarrierMediaWebsocket } from "@trunkline/carrier-media-websocket"
import { Engine, type MemoryOptions, memoryParts } from "@trunkline/engine"
import { testKeys } from "@trunkline/http-api/testing"
import { Carriers } from "@trunkline/telephony"
import { Effect, Layer } from "effect"

const options: MemoryOptions = {
  agents: [{ app_id: "desk", versions: [{ app_version: 1, committed: true, first_message: "Hello." }] }],
  connections: [{
    connection_id: "line",
    provider: "twilio-relay",
    phone_numbers: ["+911140000001"],
    options: JSON.parse(process.env["HOSTED_LINE"] ?? "{}")
  }],
  access: {
    accounts: [{ account_id: "acme" }],
    workspaces: [{ org_id: "acme", workspace_id: "main", account_id: "acme" }],
    keys: [{ account_id: "acme", key: testKeys.main }]
  }
}

const carriers = Layer.unwrapScoped(Effect.map(CarrierMediaWebsocket.make(process.env), Carriers.layerOf))

/** An engine with a line of words, whose options are in the variable `HOSTED_LINE`. */
export const engine = Engine.layer(options).pipe(Layer.provide(carriers), Layer.provideMerge(memoryParts(options)))
