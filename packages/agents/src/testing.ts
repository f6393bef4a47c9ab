export { agentStoreLaws } from "./testing/AgentStore.laws.js"

/** A sample agent version in its wire form: a collections call in Hindi and English, with a script. */
export const collections = {
  app_version: 1,
  committed: true,
  name: "Collections",
  languages: ["English", "Hindi"],
  variables: ["customer_name", "amount"],
  output_variables: [{ name: "promise_date", required: true }, { name: "right_person" }],
  script: [
    {
      id: "identify",
      say: {
        English: "Hello, am I speaking with {{customer_name}}?",
        Hindi: "नमस्ते, क्या मैं {{customer_name}} से बात कर रही हूँ?"
      },
      expect: [
        { match: { English: ["call me later", "busy"], Hindi: ["बाद में"] }, go: "reschedule" },
        {
          match: { English: ["wrong number", "no"], Hindi: ["नहीं", "गलत नंबर"] },
          set: { right_person: false },
          go: "sorry"
        },
        { match: { English: ["yes", "speaking"], Hindi: ["हाँ", "जी"] }, set: { right_person: true } }
      ],
      otherwise: "business_retry"
    },
    {
      id: "notice",
      listen: false,
      say: { English: "This call is recorded.", Hindi: "यह कॉल रिकॉर्ड की जा रही है।" }
    },
    {
      id: "promise",
      say: {
        English: "You owe {{amount}} rupees. On which day of this month can you pay?",
        Hindi: "आपके {{amount}} रुपये बाकी हैं। आप इस महीने किस तारीख को भुगतान कर सकते हैं?"
      },
      expect: [{ set: { promise_date: "$digits" }, go: "thanks" }],
      otherwise: "business_retry"
    },
    {
      id: "thanks",
      listen: false,
      say: { English: "Noted, thank you.", Hindi: "लिख लिया है, धन्यवाद।" },
      otherwise: "goodbye"
    },
    { id: "sorry", listen: false, say: { English: "Sorry to have troubled you.", Hindi: "माफ़ कीजिए।" } }
  ]
} as const
