import { ApiError } from '../../errors.ts';
import { isSameText } from '../../search/fold-text.ts';
import { maxTags } from './schema.ts';

/** Reports whether the tags contain a tag that filters treat as equal to `tag`. Tags are stored as sent. */
export const includesTag = (tags: readonly string[], tag: string): boolean =>
  tags.some((one) => isSameText(one, tag));

/** Removes the tags that filters treat as equal to an earlier one. Keeps the first occurrence of each tag. */
export const distinctTags = (tags: readonly string[]): string[] =>
  tags.filter((tag, index) => !includesTag(tags.slice(0, index), tag));

/** Adds a tag. Throws `too_many_tags` if the result has more than 50 tags. */
export function withTag(tags: readonly string[], tag: string): string[] {
  const after = distinctTags([...tags, tag]);
  if (after.length > maxTags) throw new ApiError('too_many_tags');
  return after;
}

export const withoutTag = (tags: readonly string[], tag: string): string[] =>
  tags.filter((one) => !includesTag([tag], one));
