import type { FieldError } from '../../errors.ts';
import { type Condition, normalizedForms, type Range } from '../applications/completeness/condition.ts';
import { faultIds } from '../applications/completeness/value-faults.ts';
import { isOwnerField } from '../applications/record/form-fields.ts';
import { processingMethods } from '../applications/record/schema.ts';
import { ruleFields } from './rule-fields.ts';

/** The limits of a condition. */
const conditionLimits = { nodes: 50, depth: 8, values: 200, valueLength: 200 };

type RuleCondition = Condition<string>;
type Parsed = Readonly<Record<string, unknown>>;

const never: RuleCondition = { any: [] };

interface ParsedCondition {
  condition: RuleCondition;
  faults: FieldError[];
}

const fieldTests = ['among', 'between', 'age', 'lessThan', 'fault', 'sharedByOwners', 'duplicate'] as const;
type FieldTest = (typeof fieldTests)[number];

/**
 * Converts the `when` of a rule to a condition. Reports each fault with its path, such as `when.all[1].field`. If there are
 * faults, the condition must not be used. A test of an owner's field is true if it is true for at least one owner.
 */
export function parseCondition(when: unknown): ParsedCondition {
  const parser = new ConditionParser();
  const condition = parser.parse(when, 'when', { depth: 1, ofOwner: false });
  return { condition, faults: parser.faults };
}

interface Place {
  depth: number;
  /** True inside `anyOwner`. */
  ofOwner: boolean;
}

class ConditionParser {
  readonly faults: FieldError[] = [];
  #nodes = 0;
  #values = 0;

  parse(value: unknown, path: string, place: Place): RuleCondition {
    this.#nodes += 1;
    if (this.#nodes === conditionLimits.nodes + 1)
      return this.#fault(
        path,
        `is part ${this.#nodes} of the condition, which can have ${conditionLimits.nodes}`,
      );
    if (this.#nodes > conditionLimits.nodes) return never;
    if (place.depth > conditionLimits.depth)
      return this.#fault(path, `is nested more than ${conditionLimits.depth} levels deep`);
    if (!isObject(value)) return this.#fault(path, 'must be an object');
    const operators = operatorsOf(value);
    const [operator, ...others] = operators;
    if (operator === undefined)
      return this.#fault(
        path,
        `must have one of ${Object.keys(allowedKeys).join(', ')}, or field with a test`,
      );
    if (others.length > 0)
      return this.#fault(path, `must have only one test, not ${operators.join(' and ')}`);
    const allowed = allowedKeys[operator] ?? ['field', operator];
    const unknown = Object.keys(value).filter((key) => !allowed.includes(key));
    if (unknown.length > 0)
      return this.#fault(`${path}.${unknown[0]}`, `is not allowed in a condition with ${operator}`);
    return this.#parseOperator(operator, value, path, place);
  }

  #parseOperator(operator: string, value: Parsed, path: string, place: Place): RuleCondition {
    const inner = { ...place, depth: place.depth + 1 };
    switch (operator) {
      case 'all':
        return { all: this.#list(value.all, `${path}.all`, inner) };
      case 'any':
        return { any: this.#list(value.any, `${path}.any`, inner) };
      case 'not':
        return { not: this.parse(value.not, `${path}.not`, inner) };
      case 'anyOwner':
        if (place.ofOwner) return this.#fault(path, 'must not be inside another anyOwner');
        return { anyOwner: this.parse(value.anyOwner, `${path}.anyOwner`, { ...inner, ofOwner: true }) };
      case 'method':
        return { method: this.#methods(value.method, `${path}.method`) };
      case 'collisions':
        return { collisions: this.#count(value.collisions, `${path}.collisions`) };
      case 'filled':
      case 'isMissing':
      case 'yes':
        return this.#unaryTest(operator, value[operator], `${path}.${operator}`, place);
      case 'total':
        return this.#total(value, path);
      default:
        return this.#fieldTest(operator as FieldTest, value, path, place);
    }
  }

  #list(value: unknown, path: string, place: Place): RuleCondition[] {
    if (!Array.isArray(value) || value.length === 0) {
      this.#fault(path, 'must be a list with at least one condition');
      return [];
    }
    return value.map((one, index) => this.parse(one, `${path}[${index}]`, place));
  }

  #methods(value: unknown, path: string) {
    const list = Array.isArray(value) ? value : [];
    if (list.length === 0) this.#fault(path, `must be a list of ${processingMethods.join(', ')}`);
    return list.flatMap((one, index) => {
      const method = processingMethods.find((known) => known === one);
      if (!method) this.#fault(`${path}[${index}]`, `must be one of ${processingMethods.join(', ')}`);
      return method ?? [];
    });
  }

  #count(value: unknown, path: string): number {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
    this.#fault(path, 'must be an integer of at least 1');
    return 1;
  }

  #unaryTest(operator: UnaryTest, value: unknown, path: string, place: Place): RuleCondition {
    const field = this.#field(value, path, kindsOfUnary[operator]);
    const tests: Readonly<Record<UnaryTest, RuleCondition>> = {
      filled: { filled: field },
      isMissing: { isMissing: field },
      yes: { yes: field },
    };
    return this.#ofOwners(tests[operator], field, place);
  }

  #total(value: Parsed, path: string): RuleCondition {
    const { total } = value;
    if (!Array.isArray(total) || total.length === 0)
      return this.#fault(`${path}.total`, 'must be a list of number fields');
    const fields = total.map((one, index) => this.#field(one, `${path}.total[${index}]`, ['number']));
    this.#addValues(fields.length, `${path}.total`);
    return { total: fields, between: this.#range(value.between, `${path}.between`) };
  }

  #fieldTest(operator: FieldTest, value: Parsed, path: string, place: Place): RuleCondition {
    const at = `${path}.${operator}`;
    const fieldOf = (...kinds: Kind[]) => this.#field(value.field, `${path}.field`, kinds);
    const tested = (): RuleCondition & { field: string } => {
      switch (operator) {
        case 'among': {
          const field = fieldOf('text', 'number');
          return { field, among: this.#texts(value.among, at) };
        }
        case 'between':
          return { field: fieldOf('number'), between: this.#range(value.between, at) };
        case 'age':
          return { field: fieldOf('text'), age: this.#range(value.age, at) };
        case 'lessThan':
          return { field: fieldOf('number'), lessThan: this.#field(value.lessThan, at, ['number']) };
        case 'fault': {
          const field = fieldOf('secret');
          return { field, fault: this.#faultId(field, value.fault, at) };
        }
        default:
          if (value[operator] !== true) this.#fault(at, 'must be true');
          return this.#sameValue(operator, fieldOf('secret'), `${path}.field`);
      }
    };
    const test = tested();
    return this.#ofOwners(test, test.field, place);
  }

  #sameValue(operator: 'sharedByOwners' | 'duplicate', field: string, path: string) {
    const comparable =
      operator === 'duplicate'
        ? ['basics.dbaTaxId', 'businessBanking.bankAccount', 'businessOwners[].socialSecurityNumber']
        : ['businessOwners[].socialSecurityNumber'];
    if (field !== '' && !comparable.includes(field))
      this.#fault(path, `must be one of ${comparable.join(', ')} for ${operator}`);
    return operator === 'duplicate'
      ? { field, duplicate: true as const }
      : { field, sharedByOwners: true as const };
  }

  #faultId(field: string, value: unknown, path: string): string {
    const known = faultIds[field] ?? [];
    if (typeof value === 'string' && known.includes(value)) return value;
    if (field !== '') this.#fault(path, `must be one of ${known.join(', ')}`);
    return '';
  }

  /** Returns '' for a value that is not a field, or not a field of these kinds. */
  #field(value: unknown, path: string, kinds: readonly Kind[]): string {
    const kind =
      typeof value === 'string' && Object.hasOwn(ruleFields, value) ? ruleFields[value] : undefined;
    if (typeof value === 'string' && kind && kinds.includes(kind)) return value;
    this.#fault(path, messageFor(kind, kinds));
    return '';
  }

  #texts(value: unknown, path: string): string[] {
    if (!Array.isArray(value) || value.length === 0) {
      this.#fault(path, 'must be a list of texts or numbers');
      return [];
    }
    this.#addValues(value.length, path);
    return value.slice(0, conditionLimits.values).flatMap((one, index) => {
      const isText = typeof one === 'string' && one.length <= conditionLimits.valueLength;
      const forms = isText || typeof one === 'number' ? normalizedForms(one) : [];
      if (!forms.some((form) => form !== ''))
        this.#fault(
          `${path}[${index}]`,
          `must be a number, or a text with a letter or digit and at most ${conditionLimits.valueLength} characters`,
        );
      return forms;
    });
  }

  #range(value: unknown, path: string): Range {
    if (!isObject(value)) {
      this.#fault(path, 'must be an object with from, to or both');
      return {};
    }
    const range: Range = {};
    for (const [name, bound] of Object.entries(value)) {
      if (name !== 'from' && name !== 'to') this.#fault(`${path}.${name}`, 'is not allowed in a range');
      else if (typeof bound !== 'number' || !Number.isFinite(bound))
        this.#fault(`${path}.${name}`, 'must be a number');
      else range[name] = bound;
    }
    const { from, to } = range;
    if (Object.keys(value).length === 0) this.#fault(path, 'must have from, to or both');
    if (from !== undefined && to !== undefined && from > to)
      this.#fault(path, 'must have a from of at most to');
    return range;
  }

  /** Wraps a test of an owner's field, unless it is already inside `anyOwner`. */
  #ofOwners(test: RuleCondition, field: string, { ofOwner }: Place): RuleCondition {
    return isOwnerField(field) && !ofOwner ? { anyOwner: test } : test;
  }

  #addValues(count: number, path: string): void {
    const before = this.#values;
    this.#values += count;
    if (before <= conditionLimits.values && this.#values > conditionLimits.values)
      this.#fault(path, `exceeds the limit of ${conditionLimits.values} values in one condition`);
  }

  #fault(field: string, message: string): RuleCondition {
    this.faults.push({ field, message });
    return never;
  }
}

type Kind = (typeof ruleFields)[string];

/** The tests whose only operand is a field, and the fields that they can test. */
const kindsOfUnary = {
  filled: ['boolean', 'text', 'number'],
  isMissing: ['boolean', 'text', 'number', 'secret'],
  yes: ['boolean', 'text'],
} as const satisfies Readonly<Record<string, readonly Kind[]>>;
type UnaryTest = keyof typeof kindsOfUnary;

function messageFor(kind: Kind | undefined, kinds: readonly Kind[]): string {
  if (kind === undefined) return 'is not a field that rules may test';
  if (kind === 'secret')
    return 'is sensitive: only isMissing, fault, sharedByOwners and duplicate may test it';
  if (kinds.includes('secret')) return 'must be a sensitive field for this test';
  return `is a ${kind} field, but this test needs a ${kinds.join(' or ')} field`;
}

/** The keys of conditions without `field`. */
const allowedKeys: Readonly<Record<string, readonly string[]>> = {
  all: ['all'],
  any: ['any'],
  not: ['not'],
  anyOwner: ['anyOwner'],
  method: ['method'],
  collisions: ['collisions'],
  filled: ['filled'],
  isMissing: ['isMissing'],
  yes: ['yes'],
  total: ['total', 'between'],
};

const isObject = (value: unknown): value is Parsed =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the names of the tests in a condition. In a condition with `total`, `between` is not a test of its own. */
function operatorsOf(value: Parsed): string[] {
  const plain = Object.keys(value).filter((key) => Object.hasOwn(allowedKeys, key));
  if (plain.length > 0) return plain;
  return fieldTests.filter((test) => Object.hasOwn(value, test));
}
