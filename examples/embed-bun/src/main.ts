import { serve } from "@trunkline/bun"
import { Engine } from "@trunkline/engine"

const engine = Engine.layerMemory({
  agents: [{
    app_id: "reminder",
    versions: [{ app_version: 1, committed: true, first_message: "Hello {{name}}, your table is booked for tonight." }]
  }],
  connections: [{ connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }],
  access: {
    accounts: [{ account_id: "me" }],
    workspaces: [{ org_id: "me", workspace_id: "main", account_id: "me" }],
    keys: [{ account_id: "me", key: "sk_dev_me_changeThisSecret" }]
  }
})

const { close, url } = await serve(engine, { port: 8791 })
console.log(`Voice agents at ${url}/v1/orgs/me/workspaces/main`)
process.once("SIGINT", close).once("SIGTERM", close)
