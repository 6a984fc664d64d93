import { invalid } from '../../errors.ts';
import type { LookupOption } from './schema.ts';

/** So many options may stand above one: a walk up to the first of them is that long at most. */
export const maxAncestors = 20;

/** Whether a list offers the option to choose from. */
export const isSelectable = (
  { is_active, expires_at }: Pick<LookupOption, 'is_active' | 'expires_at'>,
  now: Date,
): boolean => is_active && (expires_at === undefined || expires_at > now.toISOString());

/**
 * Throws where an option cannot have this parent. `line` is the parent, the one above it and so on; `self` the option,
 * where there is one already.
 */
export function checkParent(
  parentId: number | null | undefined,
  line: readonly Pick<LookupOption, 'parent_id'>[],
  self?: number,
): void {
  if (parentId === undefined || parentId === null) return;
  if (parentId === self || line.some(({ parent_id }) => parent_id !== undefined && parent_id === self))
    throw invalid('parent_id', 'would put the option below itself');
  if (line.length === 0) throw invalid('parent_id', 'names no lookup option of this account');
  if (line.length > maxAncestors)
    throw invalid('parent_id', `has too many options above it: at most ${maxAncestors} may stand above one`);
}
