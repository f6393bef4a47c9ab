export { addressOf, type AddressRules, checkHost } from "./Address.js"
export { type Closing, openSocket, type Socket } from "./Socket.js"
