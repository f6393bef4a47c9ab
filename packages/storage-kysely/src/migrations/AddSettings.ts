import { inOrder } from "./tables/Statements.js"

/** Adds the settings that all processes of a database share, such as the fingerprint of their secret. */
export const addSettings = inOrder(["create table settings (key text primary key, value text not null)"])
