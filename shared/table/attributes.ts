import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';

/** Values as DynamoDB has them, such as `{"S": "…"}`, by name. */
export type Attributes = Record<string, AttributeValue>;

/** What stands in a request, or in an operation of a transaction, where DynamoDB has attributes. */
interface ExpressionValues {
  Item: Item;
  Key: Key;
  ExpressionAttributeValues: Record<string, unknown>;
}

/** A request of DynamoDB with plain values in place of attributes. */
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
 * The request as it is sent. The SDK has a client of documents for this, which puts the way of a request through its
 * middleware together anew for each: that takes as long as the way.
 */
export function marshalled<Request extends Partial<ExpressionValues>>(plain: Request): Marshalled<Request> {
  const request: Record<string, unknown> = { ...plain };
  for (const field of valued) {
    const values = plain[field];
    if (values) request[field] = attributesOf(values);
  }
  return request as Marshalled<Request>;
}

/** What is undefined is left out. */
export const attributesOf = (values: object): Attributes => marshall(values, { removeUndefinedValues: true });

/** The item that has these attributes. */
export const itemOf = (attributes: Attributes): Item => unmarshall(attributes) as Item;
