import type { SingleAgentOptions } from "trunkline"

/** Rules of the desk, of which the model follows the first that fits what it hears last. */
export const prompt = `You take bookings for the restaurant Banyan.
- "is free": {heard}. Shall I book it?
- "booked": It is booked, {heard}. Goodbye. (end_call)
- "table for (\\d+)": (find_table {"people": $1})
- "yes|please do": (book_table {"table": 4})
- "manager": I am sorry, I cannot connect you.
- "no|thanks|bye": Thank you for calling. Goodbye. (end_call)
- "": For how many people shall the table be?`

/** The same prompt after a change that looks harmless: the agent is told to be quick. */
export const quickPrompt = prompt.replace(`{heard}. Shall I book it?`, `{heard}. (book_table {"table": 4})`)

/** The restaurant's desk. In production, its tools ask the booking system. */
export const deskWith = (prompt: string): SingleAgentOptions => ({
  app_id: "desk",
  first_message: "Banyan, good evening. How can I help?",
  prompt,
  tools: [
    {
      name: "find_table",
      description: "Finds a free table",
      parameters: { type: "object", properties: { people: { type: "integer" } }, required: ["people"] },
      run: () => Promise.reject(new Error("There is no booking system here"))
    },
    {
      name: "book_table",
      description: "Books a table",
      once: true,
      parameters: { type: "object", properties: { table: { type: "integer" } }, required: ["table"] },
      run: () => Promise.reject(new Error("There is no booking system here"))
    }
  ]
})
