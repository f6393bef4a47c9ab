import type { Resources } from "@trunkline/client"

/** The body of a method that has no other arguments. */
type Body<Method extends (...given: never) => unknown> = Parameters<Method>[0]

export const deploymentBody = (number = 1) => ({
  name: `Support line ${number}`,
  app_id: "collections",
  app_version: 1,
  connection_configs: [{ connection_id: "sim-1", phone_numbers: [`+91114000000${number}`] }]
})

export const campaignBody = {
  name: "June reminders",
  app_config: {
    app_id: "collections",
    app_version: 1,
    connection_configs: [{ connection_id: "sim-1", phone_numbers: ["+911140000003"] }],
    webhook_config: { url: "https://example.com/hook", secret: "quiet-secret" }
  },
  start_timestamp: "2090-06-01T00:00:00Z",
  end_timestamp: "2090-07-01T00:00:00Z",
  allowed_schedule: { allowed_start_time: "09:00", allowed_end_time: "18:00", allowed_days: ["Monday"] }
} satisfies Body<Resources["campaigns"]["create"]>

export const outboundBody = {
  app_config: {
    app_id: "collections",
    app_version: 1,
    connection_config: { connection_id: "sim-1", agent_phone_number: "+911140000003" }
  },
  user_config: { user_phone_number: "+919876543210" }
} satisfies Body<Resources["outbounds"]["start"]>

export const csv = "mobile,name\n9876543210,Asha\nnobody,Ravi\n"
export const transformation = JSON.stringify({
  phone_number: { column_name: "mobile" },
  app_variables: { customer_name: { column_name: "name" } }
})

/** Creates a cohort from a URL without a file. */
export const urlBody = {
  name: "June",
  source: { type: "pre_signed_url", url: "https://files.example/none.csv?signature=quiet-signature" },
  cohort_transformation: JSON.parse(transformation)
} satisfies Parameters<Resources["cohorts"]["fetchToCampaign"]>[1]

/** Creates a cohort from a list of contacts. */
export const contactsBody = {
  name: "June",
  users: [
    { user_phone_number: "9876543210", app_variables: { customer_name: "Asha, the first" } },
    { user_phone_number: "nobody", user_identifier: "ravi", app_overrides: { initial_language_name: "Tamil" } }
  ]
} satisfies Parameters<Resources["cohorts"]["addToCampaign"]>[1]

const parts: Readonly<Record<string, () => readonly [string | Blob]>> = {
  name: () => ["June"],
  cohort_file: () => [new Blob([csv], { type: "text/csv" })],
  cohort_transformation_file: () => [new Blob([transformation], { type: "application/json" })]
}

/** Upload form of a cohort with these parts, in this order. */
export const form = (...names: ReadonlyArray<string>): FormData => {
  const data = new FormData()
  for (const name of names) {
    data.append(name, ...(parts[name]?.() ?? ["surplus"]))
  }
  return data
}

/** Upload form with every part. */
export const completeForm = () => form("name", "cohort_transformation_file", "cohort_file")

/** Form that adds a document. */
export const documentForm = (): FormData => {
  const data = new FormData()
  data.append("collection", "handbook")
  data.append("file", new Blob(["# Shops\n\nWe are open from ten to eight."], { type: "text/markdown" }), "shops.md")
  return data
}
