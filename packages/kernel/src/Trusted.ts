/**
 * For `new X(parts, trusted)` where every part was checked before: a record that is read, changed and written again many
 * times a second. Checking costs more than all the rest.
 */
export const trusted = { disableValidation: true } as const
