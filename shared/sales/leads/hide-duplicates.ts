import { readParents } from '../../endpoints/parent-records.ts';
import type { HttpResponse } from '../../endpoints/response.ts';
import type { AccountId } from '../../id/account-id.ts';
import { memberships } from '../../people/users/store.ts';
import { hides, hidesSome, type Reaching } from '../../security/reach.ts';
import type { Lead } from './schema.ts';

type StoredLead = Pick<Lead, 'id' | 'teamId' | 'assignedTo'>;
type Fields = Record<string, unknown>;

/** Hides leads in the response of an endpoint; see `withoutHiddenDuplicates`. */
export async function hideDuplicates(
  response: HttpResponse,
  account: AccountId,
  principal: Reaching,
): Promise<HttpResponse> {
  if (!response.body.includes('"possibleDuplicates":') || !hidesSome(principal, 'lead')) return response;
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
  const shown = structuredClone(value);
  const naming = objectsNaming(shown);
  const ids = naming.flatMap(({ possibleDuplicates }) => idsIn(possibleDuplicates));
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
  for (const fields of naming) {
    const named = idsIn(fields.possibleDuplicates);
    const reached = named.filter((id) => !isHidden(id));
    const hidden = named.filter(isHidden);
    if (reached.length > 0) fields.possibleDuplicates = reached;
    // In an event, the value is a change.
    else delete fields.possibleDuplicates;
    if (hidden.length > 0) fields.hiddenDuplicates = hidden.map(placeholderOf);
  }
  return shown;
}

const idsIn = (named: unknown): number[] =>
  Array.isArray(named) ? named.filter((id): id is number => typeof id === 'number') : [];

/** Returns the objects with the field, at any depth. */
function objectsNaming(value: unknown): Fields[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(objectsNaming);
  return 'possibleDuplicates' in value ? [value as Fields, ...inside] : inside;
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
