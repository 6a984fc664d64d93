import { ApiError, type FieldError, invalid } from '../errors.ts';
import { minuteOfDay, type Policy, targets } from './policy.ts';
import { type BusinessHours, maxTargetMinutes, priorities, weekdays } from './schema.ts';

/** Throws `invalid_input` for reversed or overlapping intervals, and for a week without intervals. */
export function checkBusinessHours(hours: BusinessHours): void {
  const details = weekdays.flatMap((name) => faultsOf(hours[name] ?? [], `businessHours.${name}`));
  if (details.length > 0) throw new ApiError('invalid_input', { details });
  if (weekdays.every((name) => (hours[name] ?? []).length === 0))
    throw invalid('businessHours', 'must have an interval on at least one day of the week');
}

type Intervals = NonNullable<BusinessHours['monday']>;

/** Compares times of day as strings: `HH:MM` sorts by time. */
function faultsOf(intervals: Intervals, path: string): FieldError[] {
  return intervals.flatMap(({ from, to }, index) => {
    const field = `${path}[${index}]`;
    if (from >= to)
      return [{ field: `${field}.to`, message: 'must be after from; an interval cannot cross midnight' }];
    const shared = intervals.slice(0, index).some((other) => from < other.to && other.from < to);
    return shared ? [{ field, message: 'must not overlap another interval of the same day' }] : [];
  });
}

/** Throws `invalid_input` if a target takes more than 520 weeks of these business hours. Ignores holidays. */
export function checkTargetsReachable(policy: Policy, field: 'slaTargets' | 'businessHours'): void {
  const { businessHours } = policy;
  if (!businessHours) return;
  const weekly = weekdays
    .flatMap((name) => businessHours[name] ?? [])
    .reduce((sum, { from, to }) => sum + minuteOfDay(to) - minuteOfDay(from), 0);
  const most = (maxTargetMinutes * weekly) / (7 * 24 * 60);
  for (const priority of priorities)
    for (const target of targets)
      if (policy.targets[priority][target] > most)
        throw invalid(
          field === 'slaTargets' ? `${field}.${priority}.${target}` : field,
          `must allow the ${target} target of priority ${priority} to be reached within 520 weeks`,
        );
}
