/** Accounts of the engine `limited`, named after the tests that exhaust them. Each owns an organisation of the same name. */
export const customers = [
  "deployments",
  "campaigns",
  "cohorts",
  "outbounds",
  "analytics",
  "atonce",
  "shared",
  "untouched",
  "order",
  "free",
  "uploads",
  "events",
  "sockets",
  "manyevents",
  "manysockets",
  "head",
  "models",
  "voices",
  "unvoiced"
] as const

export type Customer = typeof customers[number]

/** Workspaces of every customer, each with its own key. */
export const rooms = ["main", "side"] as const

/** API key of a workspace of a customer. */
export const keyOf = (customer: Customer, room: typeof rooms[number] = "main") => `sk_test_${customer}${room}_5e0f9a`

/** Burst size of every rate limit of a customer; it refills by one a minute. */
export const allowance = 3

/** Concurrent connections of a customer. */
export const ceiling = 2
