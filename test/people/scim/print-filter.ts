import type { AttributeName, PatchPath, ScimFilter } from '../../../shared/provisioning/filter-syntax.ts';

const printName = ({ schema, name, sub }: AttributeName): string =>
  `${schema === undefined ? '' : `${schema}:`}${name}${sub === undefined ? '' : `.${sub}`}`;

/** Prints a filter so that `parseFilter` returns it again. */
export function printFilter(filter: ScimFilter): string {
  switch (filter.op) {
    case 'and':
    case 'or':
      return `${printOperand(filter.left, filter.op, false)} ${filter.op} ${printOperand(filter.right, filter.op, true)}`;
    case 'not':
      return `not (${printFilter(filter.filter)})`;
    case 'pr':
      return `${printName(filter.attribute)} pr`;
    case 'some':
      return `${printName(filter.attribute)}[${printFilter(filter.filter)}]`;
    default:
      return `${printName(filter.attribute)} ${filter.op} ${JSON.stringify(filter.value)}`;
  }
}

/** Both operators group to the left, and `and` binds more tightly than `or`. */
function printOperand(operand: ScimFilter, op: 'and' | 'or', isRight: boolean): string {
  const groups =
    operand.op === 'or' ? op === 'and' || isRight : operand.op === 'and' && op === 'and' && isRight;
  return groups ? `(${printFilter(operand)})` : printFilter(operand);
}

/** Prints a path so that `parsePath` returns it again. */
export const printPath = ({ attribute, filter, sub }: PatchPath): string =>
  `${printName(attribute)}${filter ? `[${printFilter(filter)}]` : ''}${sub === undefined ? '' : `.${sub}`}`;
