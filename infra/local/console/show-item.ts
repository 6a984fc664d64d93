import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { secretsOf } from '../../../shared/closing/exported-kinds.ts';
import { attributesOf } from '../../../shared/table/attributes.ts';
import { type IndexName, tableDefinition } from '../../../shared/table/definition.ts';
import type { Item } from '../../../shared/table/item.ts';
import { numberSize } from './number-size.ts';

/** An attribute of an item. Encrypted and secret values are never sent to the console. */
interface ShownAttribute {
  name: string;
  /** The size of the name and the value in bytes, as DynamoDB counts them. */
  size: number;
  /** A JSON value. Each encrypted value in it is replaced by a text such as `encrypted, 312 bytes`. */
  value?: unknown;
  /** Why there is no value. */
  hidden?: 'secret';
}

export interface ShownItem {
  pk: string;
  sk: string;
  type?: string;
  /** In bytes, as DynamoDB counts them. */
  size: number;
  attributes: ShownAttribute[];
  /** The item's places in the indexes. */
  indexes: { index: IndexName; pk: string; sk: string }[];
}

const keyAttributes: readonly string[] = [
  tableDefinition.partitionKey,
  tableDefinition.sortKey,
  ...tableDefinition.indexes.flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]),
];

/** Converts an item for the console: without secrets and with the sizes of its attributes. */
export function showItem(item: Item): ShownItem {
  const marshalled = attributesOf(item);
  const sizes = new Map(Object.entries(marshalled).map(([name, value]) => [name, sizeOf(name, value)]));
  const type = typeof item.type === 'string' ? item.type : undefined;
  return {
    pk: item.pk,
    sk: item.sk,
    ...(type !== undefined && { type }),
    size: [...sizes.values()].reduce((sum, size) => sum + size, 0),
    attributes: Object.entries(item)
      .filter(([name]) => !keyAttributes.includes(name))
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([name, value]) => ({
        name,
        size: sizes.get(name) ?? 0,
        ...(isSecret(type, name) ? { hidden: 'secret' as const } : { value: withoutEncrypted(value) }),
      })),
    indexes: tableDefinition.indexes.flatMap(({ name: index, partitionKey, sortKey }) => {
      const [pk, sk] = [item[partitionKey], item[sortKey]];
      return typeof pk === 'string' && typeof sk === 'string' ? [{ index, pk, sk }] : [];
    }),
  };
}

/** Attributes that are shown even if all other attributes of the item are secret. */
const neverSecret: readonly string[] = ['type', tableDefinition.ttl];

/** Reports whether an attribute is secret. If the item's type is unknown, checks only the attribute's name. */
function isSecret(type: string | undefined, name: string): boolean {
  if (neverSecret.includes(name)) return false;
  const secrets = type === undefined ? 'unknown' : secretsOf(type);
  if (secrets === 'unknown') return /password|secret|token|hash/i.test(name);
  return secrets === 'all' || secrets.includes(name);
}

/** Replaces each encrypted value; see shared/security/encrypted-value.ts. */
function withoutEncrypted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEncrypted);
  if (value instanceof Set) return [...value].map(withoutEncrypted);
  if (value instanceof Uint8Array) return `binary, ${value.length} bytes`;
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if ('jwe' in value && typeof value.jwe === 'string') return `encrypted, ${value.jwe.length} bytes`;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutEncrypted(one)]));
}

/**
 * The size of an attribute in bytes.
 *
 * docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
const sizeOf = (name: string, value: AttributeValue): number => Buffer.byteLength(name) + sizeOfValue(value);

function sizeOfValue(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return numberSize(value.N);
  if (value.B !== undefined) return value.B.length;
  if (value.SS) return value.SS.reduce((sum, one) => sum + Buffer.byteLength(one), 0);
  if (value.NS) return value.NS.reduce((sum, one) => sum + numberSize(one), 0);
  if (value.BS) return value.BS.reduce((sum, one) => sum + one.length, 0);
  if (value.L) return value.L.reduce((sum, one) => sum + 1 + sizeOfValue(one), 3);
  if (value.M) return Object.entries(value.M).reduce((sum, [name, one]) => sum + 1 + sizeOf(name, one), 3);
  return 1;
}
