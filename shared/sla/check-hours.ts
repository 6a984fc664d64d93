import { ApiError, type FieldError, invalid } from '../errors.ts';
import { minuteOf, type Policy, targets } from './policy.ts';
import { type BusinessHours, mostTargetMinutes, priorities, weekdays } from './schema.ts';

/**
 * Throws `invalid_input`, with each field at fault, for an interval that ends before it starts or shares time with
 * another of its day, and for a week without any.
 */
export function checkBusinessHours(hours: BusinessHours): void {
  const details = weekdays.flatMap((name) => faultsOf(hours[name] ?? [], `businessHours.${name}`));
  if (details.length > 0) throw new ApiError('invalid_input', { details });
  if (weekdays.every((name) => (hours[name] ?? []).length === 0))
    throw invalid('businessHours', 'must have an interval on one day of the week at least');
}

type Intervals = NonNullable<BusinessHours['monday']>;

/** Times of day compare as their texts do. */
function faultsOf(intervals: Intervals, path: string): FieldError[] {
  return intervals.flatMap(({ from, to }, index) => {
    const field = `${path}[${index}]`;
    if (from >= to)
      return [
        { field: `${field}.to`, message: 'must be after from; past midnight is the next day’s interval' },
      ];
    const shared = intervals.slice(0, index).some((other) => from < other.to && other.from < to);
    return shared ? [{ field, message: 'must share no time with another interval of its day' }] : [];
  });
}

/** Throws `invalid_input` that names `field` where a target would take more than ten years of the hours there are. */
export function checkReach(policy: Policy, field: 'slaTargets' | 'businessHours'): void {
  const { businessHours } = policy;
  if (!businessHours) return;
  const weekly = weekdays
    .flatMap((name) => businessHours[name] ?? [])
    .reduce((sum, { from, to }) => sum + minuteOf(to) - minuteOf(from), 0);
  const most = (mostTargetMinutes * weekly) / (7 * 24 * 60);
  for (const priority of priorities)
    for (const target of targets)
      if (policy.targets[priority][target] > most)
        throw invalid(
          field === 'slaTargets' ? `${field}.${priority}.${target}` : field,
          `must leave the ${target} of priority ${priority} within 520 weeks of business hours`,
        );
}
