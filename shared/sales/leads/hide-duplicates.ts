import { readParents } from '../../endpoints/parent-records.ts';
import type { HttpResponse } from '../../endpoints/response.ts';
import type { AccountId } from '../../id/account-id.ts';
import { memberships } from '../../people/users/store.ts';
import { hides, hidesSome, type Reaching } from '../../security/reach.ts';
import type { Lead } from './schema.ts';

type StoredLead = Pick<Lead, 'id' | 'teamId' | 'assignedTo'>;

/** Hides leads in the response of an endpoint; see `withoutHiddenDuplicates`. */
export async function hideDuplicates(
  response: HttpResponse,
  account: AccountId,
  principal: Reaching,
): Promise<HttpResponse> {
  if (!response.body.includes(`"${field}":`) || !hidesSome(principal, 'lead')) return response;
  const body = await withoutHiddenDuplicates(JSON.parse(response.body), account, principal);
  return { ...response, body: JSON.stringify(body) };
}
export type HideDuplicates = typeof hideDuplicates;

/**
 * Removes hidden leads from each `possibleDuplicates` in a value, at any depth. For each of them, `hiddenDuplicates` contains
 * the team to ask: that of the lead, or else that of its owner. The present leads decide, so that this also applies to a stored
 * response. Callers who reach all leads cause no read.
 */
export async function withoutHiddenDuplicates<T>(
  value: T,
  account: AccountId,
  principal: Reaching,
): Promise<T> {
  if (!hidesSome(principal, 'lead')) return value;
  const ids = duplicatesIn(value);
  const found = await readParents(
    account,
    ids.map((id) => ({ type: 'lead', id })),
  );
  const leads = new Map([...found.values()].map((lead) => [(lead as StoredLead).id, lead as StoredLead]));
  const isHidden = (id: number) => hides(principal, 'lead', leads.get(id));
  const teams = await teamsOfOwners(
    account,
    ids.filter(isHidden).flatMap((id) => leads.get(id) ?? []),
  );
  const placeholderOf = (id: number) => {
    const { teamId, assignedTo = '' } = leads.get(id) ?? {};
    const team = teamId ?? teams.get(assignedTo);
    return team === undefined ? {} : { teamId: team };
  };
  const replaced = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(replaced);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(
      Object.entries(part).flatMap(([name, inner]): [string, unknown][] => {
        if (name !== field) return [[name, replaced(inner)]];
        // In an event, the value is a change, and is left out.
        const [reached, hidden] = [idsIn(inner).filter((id) => !isHidden(id)), idsIn(inner).filter(isHidden)];
        const fields: [string, number[] | object[]][] = [
          [name, reached],
          ['hiddenDuplicates', hidden.map(placeholderOf)],
        ];
        return fields.filter(([, entries]) => entries.length > 0);
      }),
    );
  };
  return replaced(value) as T;
}

const field = 'possibleDuplicates';

const idsIn = (named: unknown): number[] =>
  Array.isArray(named) ? named.filter((id): id is number => typeof id === 'number') : [];

/** Returns the ids in each `possibleDuplicates`, at any depth. */
function duplicatesIn(value: unknown): number[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === field ? idsIn(inner) : duplicatesIn(inner),
  );
}

/** Returns the teams of the owners of leads that have no team, by the id of the owner. */
async function teamsOfOwners(
  account: AccountId,
  leads: readonly StoredLead[],
): Promise<ReadonlyMap<string, number | undefined>> {
  const owners = new Set(
    leads.flatMap(({ teamId, assignedTo }) =>
      teamId === undefined && assignedTo ? [Number(assignedTo)] : [],
    ),
  );
  const found = owners.size > 0 ? await memberships.findMany(account, [...owners]) : [];
  return new Map(found.map(({ id, teamId }) => [String(id), teamId]));
}
