import type { Sealed } from '../../security/sealed-value.ts';
import {
  type FilledForm,
  type FormField,
  isFilled,
  type OwnerField,
  pathOf,
  readField,
} from './form-fields.ts';
import { type Format, fits } from './formats.ts';
import type { ProcessingMethod } from './schema.ts';
import type { StoredOwner } from './stored-application.ts';

/**
 * When a rule applies: a small closed language over the fields of the form and the processing method. What is said
 * of a field that is not filled in does not hold, so that nothing is asked for on account of an answer that is not
 * there. An owner's field means the owner that the rule is asked about.
 */
export type Condition =
  | { all: readonly Condition[] }
  | { any: readonly Condition[] }
  | { not: Condition }
  /** Cards are taken in one of these ways. */
  | { method: readonly ProcessingMethod[] }
  | { filled: FormField }
  /** True, or a text that says so: true, yes, y, 1, in any case. */
  | { yes: FormField }
  /** One of these texts, by their letters and digits alone: `Sole-Proprietor` is `soleproprietor`. */
  | { field: FormField; among: readonly string[] }
  /** A value of this form, or one that is not of it. */
  | { field: FormField; is: Format }
  | { field: FormField; isNot: Format }
  /** Numbers added up; those that are not filled in count as 0, unless none is. */
  | { total: readonly FormField[]; atLeast: number }
  | { total: readonly FormField[]; below: number }
  | { total: readonly FormField[]; otherThan: number }
  | { field: FormField; lessThan: FormField }
  /** A sealed value whose plain text broke the rule of this id when it was sealed. */
  | { field: FormField; fault: string }
  /** A sealed value that another owner has too. */
  | { field: OwnerField; sharedByOwners: true }
  /** So many sensitive values that other records of the account have too. */
  | { collisions: number };

export const always: Condition = { all: [] };
export const never: Condition = { any: [] };

/** Why a condition holds or does not. A sensitive field never shows its value. */
export interface Fact {
  /** A path of the form, several joined by ` + `, `processingMethod` or `collisions`. */
  field: string;
  /** Left out where the field is not filled in, and always where it is sensitive. */
  value?: string | number | boolean;
  /** The number that the value was compared with. */
  threshold?: number;
}

interface Evaluation {
  holds: boolean;
  /** What decided: without one of them the answer might have been another. */
  facts: readonly Fact[];
}

/** How cards are taken, and what that follows from. */
export interface ResolvedMethod {
  method: ProcessingMethod;
  facts: readonly Fact[];
}

/** What conditions are evaluated over. A condition on something that is not given does not hold. */
interface ConditionContext {
  form: FilledForm;
  method?: ResolvedMethod;
  owner?: StoredOwner;
  collisions?: number;
}

const isSealed = (value: unknown): value is Sealed =>
  typeof value === 'object' && value !== null && 'jwe' in value && 'faults' in value;

/** The letters and digits of a text, in lower case. */
const plain = (value: unknown): string =>
  String(value)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');

const saysYes = (value: unknown): boolean => ['true', 'yes', 'y', '1'].includes(plain(value));

const uniqueFacts = (facts: readonly Fact[]): Fact[] =>
  facts.filter(
    ({ field, threshold }, index) =>
      facts.findIndex((one) => one.field === field && one.threshold === threshold) === index,
  );

/** Several findings as one: what decides are those that agree with the outcome. */
const together = (findings: readonly Evaluation[], holds: boolean): Evaluation => ({
  holds,
  facts: uniqueFacts(findings.filter((one) => one.holds === holds).flatMap((one) => one.facts)),
});

const read = ({ form, owner }: ConditionContext, field: FormField): unknown => readField(form, field, owner);

function factOf(known: ConditionContext, field: FormField): Fact {
  const value = read(known, field);
  const shown = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return { field: pathOf(field, known.owner), ...(shown && isFilled(value) && { value }) };
}

/** A finding about one field that is filled in. */
function found(known: ConditionContext, field: FormField, judge: (value: unknown) => boolean): Evaluation {
  const value = read(known, field);
  return { holds: isFilled(value) && judge(value), facts: [factOf(known, field)] };
}

/** Whether a sealed value of this owner is another's too. */
const isShared = ({ form, owner }: ConditionContext, field: OwnerField, value: unknown): boolean =>
  form.businessOwners.some((other) => {
    const theirs = readField(form, field, other);
    return (
      other.uniqueId !== owner?.uniqueId &&
      isSealed(value) &&
      isSealed(theirs) &&
      value.blind !== undefined &&
      value.blind === theirs.blind
    );
  });

/** Whether a condition holds, and by which facts. */
export function evaluate(condition: Condition, known: ConditionContext): Evaluation {
  if ('all' in condition) {
    const findings = condition.all.map((one) => evaluate(one, known));
    return together(
      findings,
      findings.every(({ holds }) => holds),
    );
  }
  if ('any' in condition) {
    const findings = condition.any.map((one) => evaluate(one, known));
    return together(
      findings,
      findings.some(({ holds }) => holds),
    );
  }
  if ('not' in condition) {
    const { holds, facts } = evaluate(condition.not, known);
    return { holds: !holds, facts };
  }
  if ('method' in condition) {
    if (!known.method) return { holds: false, facts: [] };
    const { method, facts } = known.method;
    return {
      holds: condition.method.includes(method),
      facts: [{ field: 'processingMethod', value: method }, ...facts],
    };
  }
  if ('collisions' in condition) {
    const value = known.collisions ?? 0;
    return {
      holds: value >= condition.collisions,
      facts: [{ field: 'collisions', value, threshold: condition.collisions }],
    };
  }
  if ('total' in condition) {
    const numbers = condition.total
      .map((field) => read(known, field))
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
  if ('filled' in condition) return found(known, condition.filled, () => true);
  if ('yes' in condition) return found(known, condition.yes, saysYes);
  if ('among' in condition)
    return found(known, condition.field, (value) => condition.among.includes(plain(value)));
  if ('is' in condition) return found(known, condition.field, (value) => fits(condition.is, String(value)));
  if ('isNot' in condition)
    return found(known, condition.field, (value) => !fits(condition.isNot, String(value)));
  if ('fault' in condition)
    return found(
      known,
      condition.field,
      (value) => isSealed(value) && value.faults.includes(condition.fault),
    );
  if ('lessThan' in condition) {
    const [value, other] = [read(known, condition.field), read(known, condition.lessThan)];
    return {
      holds: typeof value === 'number' && typeof other === 'number' && value < other,
      facts: [factOf(known, condition.field), factOf(known, condition.lessThan)],
    };
  }
  return found(known, condition.field, (value) => isShared(known, condition.field, value));
}
