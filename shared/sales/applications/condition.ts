import type { Encrypted } from '../../security/encrypted-value.ts';
import { type Format, fits } from '../value-checks/formats.ts';
import {
  type FilledForm,
  type FormField,
  isFilled,
  type OwnerField,
  pathOf,
  readField,
} from './form-fields.ts';
import type { ProcessingMethod } from './schema.ts';
import type { StoredOwner } from './stored-application.ts';

/**
 * The condition of a rule. It tests fields of the form, the processing method, or the number of collisions. Every test
 * of an empty field is false. A field such as `businessOwners[].name` is tested for one owner, the `owner` in
 * ConditionContext.
 */
export type Condition =
  | { all: readonly Condition[] }
  | { any: readonly Condition[] }
  | { not: Condition }
  /** The processing method is one of these methods. */
  | { method: readonly ProcessingMethod[] }
  | { filled: FormField }
  /** The value is true, or one of the texts true, yes, y and 1, in upper or lower case. */
  | { yes: FormField }
  /** The value is one of these texts. Compares letters and digits only: `Sole-Proprietor` equals `soleproprietor`. */
  | { field: FormField; among: readonly string[] }
  /** The value has this format, or (with `isNot`) does not have this format. */
  | { field: FormField; is: Format }
  | { field: FormField; isNot: Format }
  /** Compares the sum of these fields. An empty field counts as 0. False if all fields are empty. */
  | { total: readonly FormField[]; atLeast: number }
  | { total: readonly FormField[]; below: number }
  | { total: readonly FormField[]; otherThan: number }
  | { field: FormField; lessThan: FormField }
  /** The value is encrypted and has this fault, which is the id of a warning rule. */
  | { field: FormField; fault: string }
  /** The value is encrypted, and another owner has the same value. */
  | { field: OwnerField; sharedByOwners: true }
  /** At least this many sensitive values are also in other records of the account. */
  | { collisions: number };

export const always: Condition = { all: [] };
export const never: Condition = { any: [] };

/** A reason why a condition is true or false. Never contains the value of a sensitive field. */
export interface Fact {
  /** `processingMethod`, `collisions`, or one or more paths of the form, joined by ` + `. */
  field: string;
  /** Absent if the field is empty or sensitive. */
  value?: string | number | boolean;
  /** The number that the value was compared with. */
  threshold?: number;
}

interface Evaluation {
  holds: boolean;
  /** The facts that the outcome depends on. */
  facts: readonly Fact[];
}

/** The processing method, and the facts from which the method was derived. */
export interface ResolvedMethod {
  method: ProcessingMethod;
  facts: readonly Fact[];
}

/** The input of conditions. A condition is false if the part that it tests is absent. */
interface ConditionContext {
  form: FilledForm;
  method?: ResolvedMethod;
  owner?: StoredOwner;
  collisions?: number;
}

const isEncrypted = (value: unknown): value is Encrypted =>
  typeof value === 'object' && value !== null && 'jwe' in value && 'faults' in value;

/** The letters and digits of a text, in lower case. */
const normalized = (value: unknown): string =>
  String(value)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');

const isYes = (value: unknown): boolean => ['true', 'yes', 'y', '1'].includes(normalized(value));

const uniqueFacts = (facts: readonly Fact[]): Fact[] =>
  facts.filter(
    ({ field, threshold }, index) =>
      facts.findIndex((one) => one.field === field && one.threshold === threshold) === index,
  );

/**
 * Combines the evaluations of a condition's parts. `holds` is the combined outcome. Keeps only the facts of
 * parts with this outcome, because the other parts did not determine it.
 */
const combine = (parts: readonly Evaluation[], holds: boolean): Evaluation => ({
  holds,
  facts: uniqueFacts(parts.filter((one) => one.holds === holds).flatMap((one) => one.facts)),
});

const read = ({ form, owner }: ConditionContext, field: FormField): unknown => readField(form, field, owner);

function factOf(context: ConditionContext, field: FormField): Fact {
  const value = read(context, field);
  const shown = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return { field: pathOf(field, context.owner), ...(shown && isFilled(value) && { value }) };
}

/** Tests the value of one field. An empty field fails every test. */
function test(context: ConditionContext, field: FormField, passes: (value: unknown) => boolean): Evaluation {
  const value = read(context, field);
  return { holds: isFilled(value) && passes(value), facts: [factOf(context, field)] };
}

/** Reports whether another owner has the same encrypted value. */
const isShared = ({ form, owner }: ConditionContext, field: OwnerField, value: unknown): boolean =>
  form.businessOwners.some((other) => {
    const theirs = readField(form, field, other);
    return (
      other.uniqueId !== owner?.uniqueId &&
      isEncrypted(value) &&
      isEncrypted(theirs) &&
      value.blind !== undefined &&
      value.blind === theirs.blind
    );
  });

/** Returns whether a condition is true, and the facts that determine the outcome. */
export function evaluate(condition: Condition, context: ConditionContext): Evaluation {
  if ('all' in condition) {
    const parts = condition.all.map((one) => evaluate(one, context));
    const holds = parts.every((one) => one.holds);
    return combine(parts, holds);
  }
  if ('any' in condition) {
    const parts = condition.any.map((one) => evaluate(one, context));
    const holds = parts.some((one) => one.holds);
    return combine(parts, holds);
  }
  if ('not' in condition) {
    const { holds, facts } = evaluate(condition.not, context);
    return { holds: !holds, facts };
  }
  if ('method' in condition) {
    if (!context.method) return { holds: false, facts: [] };
    const { method, facts } = context.method;
    const fact = { field: 'processingMethod', value: method };
    return { holds: condition.method.includes(method), facts: [fact, ...facts] };
  }
  if ('collisions' in condition) {
    const { collisions: value = 0 } = context;
    const threshold = condition.collisions;
    return { holds: value >= threshold, facts: [{ field: 'collisions', value, threshold }] };
  }
  if ('total' in condition) {
    const numbers = condition.total
      .map((field) => read(context, field))
      .filter((value) => typeof value === 'number');
    const value = numbers.reduce((sum, one) => sum + one, 0);
    const [holds, threshold] =
      'atLeast' in condition
        ? [value >= condition.atLeast, condition.atLeast]
        : 'below' in condition
          ? [value < condition.below, condition.below]
          : [value !== condition.otherThan, condition.otherThan];
    return {
      holds: numbers.length > 0 && holds,
      facts: [{ field: condition.total.join(' + '), ...(numbers.length > 0 && { value }), threshold }],
    };
  }
  if ('filled' in condition) return test(context, condition.filled, () => true);
  if ('yes' in condition) return test(context, condition.yes, isYes);
  const { field } = condition;
  if ('among' in condition)
    return test(context, field, (value) => condition.among.includes(normalized(value)));
  if ('is' in condition) return test(context, field, (value) => fits(condition.is, String(value)));
  if ('isNot' in condition) return test(context, field, (value) => !fits(condition.isNot, String(value)));
  if ('fault' in condition)
    return test(context, field, (value) => isEncrypted(value) && value.faults.includes(condition.fault));
  if ('lessThan' in condition) {
    const [value, other] = [read(context, field), read(context, condition.lessThan)];
    return {
      holds: typeof value === 'number' && typeof other === 'number' && value < other,
      facts: [factOf(context, field), factOf(context, condition.lessThan)],
    };
  }
  return test(context, condition.field, (value) => isShared(context, condition.field, value));
}
