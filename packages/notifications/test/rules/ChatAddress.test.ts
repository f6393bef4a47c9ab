import { assert, describe, it } from "@effect/vitest"
import { chatAddressIssue } from "../../src/rules/ChatAddress.js"

const usual = { chatHosts: ["hooks.slack.com"], allowInsecureUrls: false }

describe("chatAddressIssue", () => {
  it("accepts webhook addresses of Slack", () => {
    assert.isNull(chatAddressIssue("https://hooks.slack.com/services/T000/B000/XXXX", usual))
    assert.isNull(chatAddressIssue("https://HOOKS.slack.com:443/services/T000/B000/XXXX", usual))
  })

  const refused = [
    "http://hooks.slack.com/services/T0",
    "https://hooks.slack.com.evil.example/services/T0",
    "https://evil.example/hooks.slack.com",
    "https://hooks.slack.com@evil.example/",
    "https://user:wort@hooks.slack.com/services/T0",
    "https://slack.com/services/T0",
    "https://hooks.slack.com./services/T0",
    "//hooks.slack.com/services/T0",
    "file:///hooks.slack.com",
    "hooks.slack.com",
    "",
    `https://hooks.slack.com/${"x".repeat(2048)}`
  ]
  for (const address of refused) {
    it(`rejects ${address.slice(0, 60)} without repeating it`, () => {
      const issue = chatAddressIssue(address, usual)
      assert.isNotNull(issue)
      assert.notMatch(issue ?? "", /services|evil|wort|xxx/)
    })
  }

  it("admits any port of a host listed without one, and only the listed port otherwise", () => {
    const chatSettings = { chatHosts: ["127.0.0.1", "[::1]", "chat.example.in:443"], allowInsecureUrls: true }
    for (
      const address of [
        "http://127.0.0.1:9206/",
        "http://127.0.0.1/",
        "https://127.0.0.1:8443/",
        "http://[::1]:9206/",
        "https://chat.example.in/",
        "https://chat.example.in:443/",
        "http://chat.example.in:443/"
      ]
    ) {
      assert.isNull(chatAddressIssue(address, chatSettings), address)
    }
    for (
      const address of [
        "http://127.0.0.2:9206/",
        "http://127.0.0.1.example:9206/",
        "http://[::2]:9206/",
        "https://chat.example.in:8443/",
        "http://chat.example.in/"
      ]
    ) {
      assert.isNotNull(chatAddressIssue(address, chatSettings), address)
    }
    const usualPort = { chatHosts: ["chat.example.in:80"], allowInsecureUrls: true }
    assert.isNull(chatAddressIssue("http://chat.example.in/", usualPort))
    assert.isNotNull(chatAddressIssue("https://chat.example.in/", usualPort))
  })

  it("compares hosts case-insensitively", () => {
    assert.isNull(chatAddressIssue("https://chat.example.in/", { ...usual, chatHosts: ["Chat.Example.IN"] }))
  })

  it("accepts the configured hosts including ports, or any", () => {
    const chatSettings = { chatHosts: ["chat.example.in", "127.0.0.1:8065"], allowInsecureUrls: true }
    assert.isNull(chatAddressIssue("https://chat.example.in/hooks/1", chatSettings))
    assert.isNull(chatAddressIssue("http://127.0.0.1:8065/hooks/1", chatSettings))
    assert.isNotNull(chatAddressIssue("http://127.0.0.1:8066/hooks/1", chatSettings))
    assert.isNotNull(chatAddressIssue("https://hooks.slack.com/services/T0", chatSettings))
    assert.isNull(chatAddressIssue("https://any.example/1", { chatHosts: "any", allowInsecureUrls: false }))
    assert.isNotNull(chatAddressIssue("http://any.example/1", { chatHosts: "any", allowInsecureUrls: false }))
  })
})
