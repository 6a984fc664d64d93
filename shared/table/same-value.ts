import { isDeepStrictEqual } from 'node:util';

/**
 * Whether two values are the same as JSON has it: whatever the order of their fields, which DynamoDB does not keep,
 * and a field that is undefined counts as absent.
 */
export const sameValue = (one: unknown, other: unknown): boolean =>
  one === other || isDeepStrictEqual(asJson(one), asJson(other));

const asJson = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.parse(JSON.stringify(value)) : value;
