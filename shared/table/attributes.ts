import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';

/** Values in DynamoDB's notation, such as `{"S": "…"}`, by name. */
export type Attributes = Record<string, AttributeValue>;

/** The request fields that contain attributes. */
interface ExpressionValues {
  Item: Item;
  Key: Key;
  ExpressionAttributeValues: Record<string, unknown>;
}

/** A DynamoDB request with plain values instead of attributes. */
export type Plain<Request> = {
  [Field in keyof Request]: Field extends keyof ExpressionValues ? ExpressionValues[Field] : Request[Field];
};

type Marshalled<Request> = {
  [Field in keyof Request]: Field extends keyof ExpressionValues
    ? Attributes | Extract<Request[Field], undefined>
    : Request[Field];
};

const valued: readonly (keyof ExpressionValues)[] = ['Item', 'Key', 'ExpressionAttributeValues'];

/**
 * Converts plain values to attributes. The SDK's document client is not used, because it rebuilds the middleware stack
 * for each request. Rebuilding the stack takes as long as the request itself.
 */
export function marshalled<Request extends Partial<ExpressionValues>>(plain: Request): Marshalled<Request> {
  const request: Record<string, unknown> = { ...plain };
  for (const field of valued) {
    const values = plain[field];
    if (values) request[field] = attributesOf(values);
  }
  return request as Marshalled<Request>;
}

/** Converts plain values to attributes. Undefined values are omitted. */
export const attributesOf = (values: object): Attributes => marshall(values, { removeUndefinedValues: true });

export const itemOf = (attributes: Attributes): Item => unmarshall(attributes) as Item;
