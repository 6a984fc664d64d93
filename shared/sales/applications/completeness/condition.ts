import { dayLength } from '../../../instant.ts';
import { spellingsOf } from '../../../search/fold-text.ts';
import type { Encrypted } from '../../../security/encrypted-value.ts';
import { type Format, fits } from '../../value-checks/formats.ts';
import { dayOf } from '../../value-checks/sensitive-faults.ts';
import {
  type FormField,
  isFilled,
  pathOf,
  readField,
  type TestedForm,
  type TestedOwner,
} from '../record/form-fields.ts';
import type { ProcessingMethod } from '../record/schema.ts';

/**
 * The condition of a rule. It tests fields of the form, the processing method, or the number of collisions. A condition is
 * true, false or unknown. Every test of an empty field is unknown, except `filled` and `isMissing`. A field such as
 * `businessOwners[].name` is tested for one owner, the `owner` in ConditionContext. `F` is the type of the field names.
 */
export type Condition<F extends string = FormField> =
  | { all: readonly Condition<F>[] }
  | { any: readonly Condition<F>[] }
  | { not: Condition<F> }
  /** True if the condition holds for at least one owner. A form without owners is tested as one owner without fields. */
  | { anyOwner: Condition<F> }
  /** The processing method is one of these methods. */
  | { method: readonly ProcessingMethod[] }
  | { filled: F }
  /** The field is empty. */
  | { isMissing: F }
  /** The value is true, or one of the texts true, yes, y and 1, in upper or lower case. */
  | { yes: F }
  /**
   * The value is one of these texts, as `normalizedForms` returns them. Compares letters and digits only:
   * `Sole-Proprietor` equals `soleproprietor`.
   */
  | { field: F; among: readonly string[] }
  /** The value has this format, or (with `isNot`) does not have this format. */
  | { field: F; is: Format }
  | { field: F; isNot: Format }
  /** The value is a number in this range. Both bounds are included. */
  | { field: F; between: Range }
  /** The value is a date, and its age in full days is in this range. Both bounds are included. */
  | { field: F; age: Range }
  /** Compares the sum of these fields. An empty field counts as 0. Unknown if all fields are empty. */
  | { total: readonly F[]; atLeast: number }
  | { total: readonly F[]; below: number }
  | { total: readonly F[]; otherThan: number }
  /** The sum of these fields is in this range. Unknown if one of the fields is empty. */
  | { total: readonly F[]; between: Range }
  | { field: F; lessThan: F }
  /** The value is encrypted and has this fault, which is the id of a warning rule. */
  | { field: F; fault: string }
  /** The value is encrypted, and another owner has the same value. */
  | { field: F; sharedByOwners: true }
  /** The value is encrypted, and another record of the account has the same value. */
  | { field: F; duplicate: true }
  /** At least this many sensitive values are also in other records of the account. */
  | { collisions: number };

/** A range of numbers. At least one bound is given. */
export interface Range {
  from?: number;
  to?: number;
}

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
  /** Undefined if the result is unknown, because a tested field is empty. */
  holds: boolean | undefined;
  /** The facts that the outcome depends on. */
  facts: readonly Fact[];
}

/** The processing method, and the facts from which the method was derived. */
export interface ResolvedMethod {
  method: ProcessingMethod;
  facts: readonly Fact[];
}

/** The input of conditions. A condition is unknown if the part that it tests is absent, except `collisions`, which is then 0. */
interface ConditionContext {
  form: TestedForm;
  method?: ResolvedMethod;
  owner?: TestedOwner;
  collisions?: number;
  /** The time by which ages are computed. */
  now?: Date;
}

/** Facts about a sensitive value. `duplicate`: another record of the account has the same value. */
export interface SecretFacts extends Pick<Encrypted, 'faults' | 'blind'> {
  duplicate?: true;
}

/** Reports whether a value is sensitive: encrypted, or replaced by its facts. */
const isSecret = (value: unknown): value is SecretFacts =>
  typeof value === 'object' && value !== null && 'faults' in value;

/** The letters and digits of a text in each form in which searches and filters compare it, without repetition. */
export const normalizedForms = (value: unknown): string[] => [
  ...new Set(spellingsOf(String(value)).map((form) => form.replaceAll(/[^\p{L}\p{N}]/gu, ''))),
];

/** Reports whether a value is one of these texts, which have the form of `normalizedForms`. */
const isAmong = (texts: readonly string[], value: unknown): boolean =>
  normalizedForms(value).some((form) => texts.includes(form));

const isYes = (value: unknown): boolean => isAmong(['true', 'yes', 'y', '1'], value);

const uniqueFacts = (facts: readonly Fact[]): Fact[] =>
  facts.filter(
    ({ field, threshold }, index) =>
      facts.findIndex((one) => one.field === field && one.threshold === threshold) === index,
  );

/**
 * Combines the evaluations of a condition's parts. One part with the result `decisive` determines the result. Otherwise,
 * one unknown part makes it unknown. If the result is true, keeps the facts of the true parts, otherwise those of the
 * others, because the rest did not determine it.
 */
function combine(parts: readonly Evaluation[], decisive: boolean): Evaluation {
  const isDecided = parts.some((one) => one.holds === decisive);
  const isUnknown = parts.some((one) => one.holds === undefined);
  const holds = isDecided ? decisive : isUnknown ? undefined : !decisive;
  const determining = parts.filter((one) => (one.holds === true) === (holds === true));
  return { holds, facts: uniqueFacts(determining.flatMap((one) => one.facts)) };
}

const read = ({ form, owner }: ConditionContext, field: string): unknown => readField(form, field, owner);

function factOf(context: ConditionContext, field: string): Fact {
  const value = read(context, field);
  const shown = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return { field: pathOf(field, context.owner), ...(shown && isFilled(value) && { value }) };
}

/** Tests the value of one field. The test of an empty field is unknown. */
function test(context: ConditionContext, field: string, passes: (value: unknown) => boolean): Evaluation {
  const value = read(context, field);
  return { holds: isFilled(value) ? passes(value) : undefined, facts: [factOf(context, field)] };
}

/** Tests whether a field is filled in. The result is never unknown. */
const testPresence = (context: ConditionContext, field: string, filled: boolean): Evaluation => ({
  holds: isFilled(read(context, field)) === filled,
  facts: [factOf(context, field)],
});

/** Reports whether another owner has the same encrypted value. */
const isShared = ({ form, owner }: ConditionContext, field: string, value: unknown): boolean =>
  form.businessOwners.some((other) => {
    const theirs = readField(form, field, other);
    return (
      other.uniqueId !== owner?.uniqueId &&
      isSecret(value) &&
      isSecret(theirs) &&
      value.blind !== undefined &&
      value.blind === theirs.blind
    );
  });

const isWithin = ({ from, to }: Range, value: number): boolean =>
  (from === undefined || value >= from) && (to === undefined || value <= to);

/** The bound of a range that determines whether a value is in the range. */
const boundOf = ({ from, to }: Range, value: number): number | undefined =>
  from !== undefined && (value < from || to === undefined) ? from : to;

/** The full days between a date or date-time and `now`. Undefined if the text contains no date. */
function ageInDays(value: unknown, now: Date | undefined): number | undefined {
  const text = String(value);
  const instant = /^\d{4}-\d{2}-\d{2}T/.test(text) ? new Date(text) : dateOf(text);
  const age = now && instant && Math.floor((now.getTime() - instant.getTime()) / dayLength);
  return age === undefined || Number.isNaN(age) ? undefined : age;
}

function dateOf(text: string): Date | undefined {
  const day = dayOf(text);
  return day && new Date(Date.UTC(day.year, day.month - 1, day.day));
}

/** Tests whether a number is in a range. `field` is the field from which the number was derived. */
function inRange(
  context: ConditionContext,
  field: string,
  range: Range,
  value: number | undefined,
): Evaluation {
  const fact = factOf(context, field);
  if (value === undefined) return { holds: undefined, facts: [fact] };
  return { holds: isWithin(range, value), facts: [{ ...fact, threshold: boundOf(range, value) }] };
}

/** Returns whether a condition is true, false or unknown, and the facts that determine the result. */
export function evaluate(condition: Condition<string>, context: ConditionContext): Evaluation {
  if ('all' in condition)
    return combine(
      condition.all.map((one) => evaluate(one, context)),
      false,
    );
  if ('any' in condition)
    return combine(
      condition.any.map((one) => evaluate(one, context)),
      true,
    );
  if ('not' in condition) {
    const { holds, facts } = evaluate(condition.not, context);
    return { holds: holds === undefined ? undefined : !holds, facts };
  }
  if ('anyOwner' in condition) {
    const { businessOwners } = context.form;
    if (businessOwners.length === 0) {
      const { holds } = evaluate(condition.anyOwner, context);
      return { holds, facts: [{ field: 'businessOwners' }] };
    }
    return combine(
      businessOwners.map((owner) => evaluate(condition.anyOwner, { ...context, owner })),
      true,
    );
  }
  if ('method' in condition) {
    if (!context.method) return { holds: undefined, facts: [] };
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
          : 'between' in condition
            ? [isWithin(condition.between, value), boundOf(condition.between, value)]
            : [value !== condition.otherThan, condition.otherThan];
    const needed = 'between' in condition ? condition.total.length : 1;
    return {
      holds: numbers.length >= needed ? holds : undefined,
      facts: [{ field: condition.total.join(' + '), ...(numbers.length > 0 && { value }), threshold }],
    };
  }
  if ('filled' in condition) return testPresence(context, condition.filled, true);
  if ('isMissing' in condition) return testPresence(context, condition.isMissing, false);
  if ('yes' in condition) return test(context, condition.yes, isYes);
  const { field } = condition;
  if ('among' in condition) return test(context, field, (value) => isAmong(condition.among, value));
  if ('between' in condition) {
    const value = read(context, field);
    return inRange(context, field, condition.between, typeof value === 'number' ? value : undefined);
  }
  if ('age' in condition)
    return inRange(context, field, condition.age, ageInDays(read(context, field), context.now));
  if ('duplicate' in condition)
    return test(context, field, (value) => isSecret(value) && value.duplicate === true);
  if ('is' in condition) return test(context, field, (value) => fits(condition.is, String(value)));
  if ('isNot' in condition) return test(context, field, (value) => !fits(condition.isNot, String(value)));
  if ('fault' in condition)
    return test(context, field, (value) => isSecret(value) && value.faults.includes(condition.fault));
  if ('lessThan' in condition) {
    const [value, other] = [read(context, field), read(context, condition.lessThan)];
    return {
      holds: typeof value === 'number' && typeof other === 'number' ? value < other : undefined,
      facts: [factOf(context, field), factOf(context, condition.lessThan)],
    };
  }
  return test(context, condition.field, (value) => isShared(context, condition.field, value));
}
