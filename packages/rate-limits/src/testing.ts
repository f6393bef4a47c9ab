export * from "./accounts/AccountStore.laws.js"
export * from "./keys/KeyStore.laws.js"
