import { createTrunkline } from "trunkline"

const trunkline = await createTrunkline({
  data: ".trunkline",
  agents: [{ app_id: "reminder", first_message: "Hello {{name}}, your table is booked for tonight." }],
  lines: [{ connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }]
})

const call = await trunkline.calls.create({ agent: "reminder", to: "+919876543210", variables: { name: "Asha" } })
const { completion_status, transcript } = await call.ended
console.log(completion_status, transcript)

const { key } = await trunkline.keys.ensureKey({
  key: process.env["API_KEY"] ?? "sk_test_main_trunklineLocalExampleKey"
})
const { url } = await trunkline.listen({ port: 8788 })
console.log(`W=${url}/v1/orgs/main/workspaces/main\nKEY=${key}`)
process.once("SIGINT", trunkline.close).once("SIGTERM", trunkline.close)
