import { invalid } from '../../errors.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { unnamedChange } from '../../events/unnamed-change.ts';
import type { Happening } from '../../resources/registry.ts';
import type { ResidualFormat, ResidualFormatInput } from './schema.ts';

/** Returns the event of a change of a format. */
export const formatChanged = (
  happening: Extract<Happening, `residual_format_${string}`>,
  { accountId, id, processor, version }: ResidualFormat,
): EventDraft[] => unnamedChange(accountId, happening, { id }, { processor, formatVersion: version });

/** Throws `invalid_input` if two fees have the same name. */
export function checkColumns({ fees = [] }: ResidualFormatInput['columns']): void {
  const names = fees.map(({ name }) => name);
  const twice = names.find((name, n) => names.indexOf(name) !== n);
  if (twice !== undefined) throw invalid('columns.fees', `must not have two fees with the name ${twice}`);
}
