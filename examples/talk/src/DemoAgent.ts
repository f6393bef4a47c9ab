import { AgentVersion } from "@trunkline/agents"
import { Schema } from "effect"

/** A friendly agent for conversations without a file of one's own. */
export const demoAgent = Schema.decodeUnknownSync(AgentVersion)({
  app_version: 1,
  committed: true,
  name: "Asha",
  prompt:
    "You take bookings for a small restaurant on the telephone. Be friendly and brief, and ask one thing at a time.",
  first_message: "Hello, this is Asha at the Banyan Kitchen. How can I help you?",
  goodbye_message: "Thank you for calling. Goodbye!",
  languages: ["English", "Hindi"],
  output_variables: [
    { name: "guests", required: true, description: "the number of guests" },
    { name: "day", required: true, description: "the day of the visit" }
  ]
})
