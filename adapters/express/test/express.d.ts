// Express has no types of its own.
declare module "express"
