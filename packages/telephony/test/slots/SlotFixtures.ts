import { ConnectionId } from "@trunkline/kernel"
import { Connection } from "@trunkline/telephony"

export const line = (id: string, max_channels?: number) =>
  new Connection({
    connection_id: ConnectionId.make(id),
    provider: "simulator",
    phone_numbers: [],
    options: {},
    ...(max_channels === undefined ? {} : { max_channels })
  })
