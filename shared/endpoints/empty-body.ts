import { object } from '../schema.ts';

/** The terms of an endpoint whose body has no fields. The body may also be absent. */
export const emptyBody = { body: object({}), bodyOptional: true } as const;
