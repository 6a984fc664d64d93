import { ApiError } from '../../errors.ts';
import { mostTags } from './schema.ts';

/** Reports whether the tags contain this one. Tags are stored as they were sent and compared without regard to case. */
export const includesTag = (tags: readonly string[], tag: string): boolean =>
  tags.some((one) => one.toLowerCase() === tag.toLowerCase());

/** The tags in their order without duplicates. Of equal tags the first is kept. */
export const distinctTags = (tags: readonly string[]): string[] =>
  tags.filter((tag, index) => !includesTag(tags.slice(0, index), tag));

/** The tags with one more. Throws `too_many_tags` where there are fifty others. */
export function withTag(tags: readonly string[], tag: string): string[] {
  const after = distinctTags([...tags, tag]);
  if (after.length > mostTags) throw new ApiError('too_many_tags');
  return after;
}

/** The tags without this one. */
export const withoutTag = (tags: readonly string[], tag: string): string[] =>
  tags.filter((one) => !includesTag([tag], one));
