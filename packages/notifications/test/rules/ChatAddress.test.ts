import { assert, describe, it } from "@effect/vitest"
import { chatAddressIssue } from "@trunkline/notifications"

const usual = { chatHosts: ["hooks.slack.com"], allowInsecureUrls: false }

describe("chatAddressIssue", () => {
  it("takes what Slack gives out", () => {
    assert.isNull(chatAddressIssue("https://hooks.slack.com/services/T000/B000/XXXX", usual))
    assert.isNull(chatAddressIssue("https://HOOKS.slack.com:443/services/T000/B000/XXXX", usual))
  })

  const refused = [
    "http://hooks.slack.com/services/T0",
    "https://hooks.slack.com.evil.example/services/T0",
    "https://evil.example/hooks.slack.com",
    "https://hooks.slack.com@evil.example/",
    "https://user:wort@hooks.slack.com/services/T0",
    "https://hooks.slack.com:8443/services/T0",
    "https://slack.com/services/T0",
    "https://hooks.slack.com./services/T0",
    "//hooks.slack.com/services/T0",
    "file:///hooks.slack.com",
    "hooks.slack.com",
    "",
    `https://hooks.slack.com/${"x".repeat(2048)}`
  ]
  for (const address of refused) {
    it(`refuses ${address.slice(0, 60)} without repeating it`, () => {
      const issue = chatAddressIssue(address, usual)
      assert.isNotNull(issue)
      assert.notMatch(issue ?? "", /services|evil|wort|xxx/)
    })
  }

  it("takes the hosts that the embedder names, ports included, or any", () => {
    const own = { chatHosts: ["chat.example.in", "127.0.0.1:8065"], allowInsecureUrls: true }
    assert.isNull(chatAddressIssue("https://chat.example.in/hooks/1", own))
    assert.isNull(chatAddressIssue("http://127.0.0.1:8065/hooks/1", own))
    assert.isNotNull(chatAddressIssue("http://127.0.0.1:8066/hooks/1", own))
    assert.isNotNull(chatAddressIssue("https://hooks.slack.com/services/T0", own))
    assert.isNull(chatAddressIssue("https://any.example/1", { chatHosts: "any", allowInsecureUrls: false }))
    assert.isNotNull(chatAddressIssue("http://any.example/1", { chatHosts: "any", allowInsecureUrls: false }))
  })
})
