import { ApiError, type FieldError } from '../../errors.ts';
import { comesBefore, maxLengths, validateValue } from './custom-fields.ts';
import type { CustomField, CustomFieldInput, CustomFieldType, CustomFieldValue } from './schema.ts';

/** Keys that would access the prototype of an object. */
const forbidden = ['constructor', 'prototype'];

const bounded: readonly CustomFieldType[] = ['integer', 'decimal', 'date', 'date_time'];
const chosen: readonly CustomFieldType[] = ['select', 'multi_select'];

type DefinitionFault = [field: keyof CustomField, message: string];

/**
 * Validates definitions and returns their stored form, with date-times in UTC. Throws `invalid_input` for invalid
 * definitions, and `custom_field_type_fixed` if `used` has another type for a key. Each fault contains the path of its
 * field, such as `customFields[2].options`.
 */
export function defineFields(
  sent: readonly CustomFieldInput[],
  used: ReadonlyMap<string, CustomFieldType> = new Map(),
): CustomField[] {
  const fields = sent.map(normalized);
  const keys = fields.map(({ key }) => key);
  const faults = fields.flatMap((field, index) => [
    ...(keys.indexOf(field.key) < index ? [at(index, ['key', 'is already used by another field'])] : []),
    ...faultsOf(field).map((fault) => at(index, fault)),
  ]);
  if (faults.length > 0) throw new ApiError('invalid_input', { details: faults.slice(0, 20) });
  const retyped = fields.flatMap(({ key, type }, index) => {
    const before = used.get(key);
    return before === undefined || before === type ? [] : [at(index, ['type', `must remain ${before}`])];
  });
  if (retyped.length > 0) throw new ApiError('custom_field_type_fixed', { details: retyped.slice(0, 20) });
  return fields;
}

const at = (index: number, [field, message]: DefinitionFault): FieldError => ({
  field: `customFields[${index}].${field}`,
  message,
});

/** Converts limits and default to their stored form. Does not change invalid values, which `faultsOf` reports. */
function normalized({ required = false, ...sent }: CustomFieldInput): CustomField {
  const field: CustomField = { ...sent, required };
  const free = { ...field, min: undefined, max: undefined };
  const stored = <T extends CustomFieldValue>(value: T): T => {
    const validated = validateValue(free, value).value;
    return typeof validated === typeof value ? (validated as T) : value;
  };
  return {
    ...field,
    ...(field.min !== undefined && { min: stored(field.min) }),
    ...(field.max !== undefined && { max: stored(field.max) }),
    ...(field.default !== undefined && { default: stored(field.default) }),
  };
}

function faultsOf(field: CustomField): DefinitionFault[] {
  const { key, type, options, min, max, maxLength } = field;
  const faults: DefinitionFault[] = [
    ...(forbidden.includes(key) ? [['key', 'is a reserved name'] satisfies DefinitionFault] : []),
    ...optionFaults(type, options),
    ...boundFaults(field, 'min'),
    ...boundFaults(field, 'max'),
    ...lengthFaults(type, maxLength),
  ];
  if (faults.length > 0) return faults;
  if (min !== undefined && max !== undefined && comesBefore(max, min))
    return [['max', 'must not be less than min']];
  if (field.default === undefined) return [];
  const { fault } = validateValue(field, field.default);
  return fault === undefined ? [] : [['default', fault]];
}

function optionFaults(type: CustomFieldType, options: CustomField['options']): DefinitionFault[] {
  if (!chosen.includes(type)) return options ? [['options', `is not allowed for ${type}`]] : [];
  if (!options) return [['options', `is required for ${type}`]];
  const values = new Set(options.map(({ value }) => value));
  return values.size < options.length ? [['options', 'must not contain duplicate values']] : [];
}

function boundFaults(field: CustomField, name: 'min' | 'max'): DefinitionFault[] {
  const bound = field[name];
  if (bound === undefined) return [];
  if (!bounded.includes(field.type)) return [[name, `is not allowed for ${field.type}`]];
  const { fault } = validateValue({ ...field, min: undefined, max: undefined }, bound);
  return fault === undefined ? [] : [[name, fault]];
}

function lengthFaults(type: CustomFieldType, maxLength: number | undefined): DefinitionFault[] {
  if (maxLength === undefined) return [];
  const limits: Partial<Record<CustomFieldType, number>> = maxLengths;
  const limit = limits[type];
  if (limit === undefined) return [['maxLength', `is not allowed for ${type}`]];
  return maxLength > limit ? [['maxLength', `must be at most ${limit} for ${type}`]] : [];
}

export const typesOfKeys = (
  fields: readonly CustomField[],
  former: Readonly<Record<string, CustomFieldType>> = {},
): Map<string, CustomFieldType> =>
  new Map([
    ...Object.entries(former),
    ...fields.map(({ key, type }): [string, CustomFieldType] => [key, type]),
  ]);
