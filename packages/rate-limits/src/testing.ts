export * from "./AccountStore.laws.js"
export * from "./KeyStore.laws.js"
