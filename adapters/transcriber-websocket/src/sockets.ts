export { addressOf, type AddressRules, checkHost } from "./Address.js"
export { type CloseFrame, openSocket, type Socket } from "./Socket.js"
