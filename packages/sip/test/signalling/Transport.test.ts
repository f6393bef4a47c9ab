import { virtualTest } from "@trunkline/kernel/testing"
import { makeMemoryNetwork, type TransportProtocol } from "@trunkline/sip"
import { sipTransportLaws } from "@trunkline/sip/testing"
import { Effect } from "effect"

const pair = Effect.map(makeMemoryNetwork(), (network) => ({
  left: network.attach("192.0.2.1"),
  right: network.attach("192.0.2.2"),
  addressOfRight: (protocol: TransportProtocol) => ({ protocol, host: "192.0.2.2", port: 5060 }),
  dead: { protocol: "tcp" as const, host: "192.0.2.9", port: 5060 }
}))

sipTransportLaws("memory", pair, virtualTest)
