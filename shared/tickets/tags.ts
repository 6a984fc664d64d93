import { ApiError, invalid } from '../errors.ts';
import { longestTag, mostTags } from './schema.ts';

/** Tags as they are stored: in lower case, each once, in the order in which they came. */
export function normalTags(tags: readonly string[]): string[] {
  const lowered = tags.map((tag) => tag.toLowerCase());
  // A letter may become two: İ has a dot of its own in lower case.
  const tooLong = lowered.findIndex((tag) => [...tag].length > longestTag);
  if (tooLong >= 0)
    throw invalid(`tags[${tooLong}]`, `must have at most ${longestTag} characters in lower case`);
  return [...new Set(lowered)];
}

/** The tags with one more. Throws `too_many_tags` where there are fifty others. */
export function withTag(tags: readonly string[], tag: string): string[] {
  const after = [...new Set([...tags, ...normalTags([tag])])];
  if (after.length > mostTags) throw new ApiError('too_many_tags');
  return after;
}

/** The tags without this one. */
export const withoutTag = (tags: readonly string[], tag: string): string[] =>
  tags.filter((one) => one !== tag.toLowerCase());
