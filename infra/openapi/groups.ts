import { referenceGroups } from '../../shared/resources/derived.ts';

type Group = (typeof referenceGroups)[number];

const derived = new Map<string, Group>();

/** Returns the group of a path. A path that no group lists gets its own group after the listed groups. */
export function groupOf(path: string): Group {
  const segment = path.split('/')[1] ?? '';
  const listed = referenceGroups.find(({ segments }) => segments.includes(segment)) ?? derived.get(segment);
  if (listed) return listed;
  const words = segment.replaceAll('-', ' ');
  const name = words.charAt(0).toUpperCase() + words.slice(1);
  const own = { name, description: `Endpoints below /${segment}.`, segments: [segment] };
  derived.set(segment, own);
  return own;
}

/** The position of a group in the reference. */
export const rankOf = (one: Group): number =>
  referenceGroups.includes(one) ? referenceGroups.indexOf(one) : referenceGroups.length;
