import { expectTypeOf } from 'vitest';
import type { Access, Admission } from '../../shared/endpoints/contract.ts';
import { endpoint, type Request } from '../../shared/endpoints/endpoint.ts';
import { listing } from '../../shared/endpoints/listing.ts';
import { deleteRecord, patchRecord } from '../../shared/endpoints/record-endpoints.ts';
import { Team } from '../../shared/people/teams/schema.ts';
import { placedTeams } from '../../shared/people/teams/store.ts';
import { integer, object } from '../../shared/schema.ts';

/*
 * This file is compiled, but never run. `npm run check` fails if a statement after `@ts-expect-error` has no
 * type error, or if another statement has one.
 */
const Thing = object({ id: integer() });
const read = { method: 'GET', path: '/things', response: Thing, summary: 'Read a thing' } as const;
const list = {
  path: '/things',
  item: Thing,
  summary: 'List',
} as const;
const decide = () => ({ response: { id: 1 } });
/** Never called. */
const none = (): never => {
  throw new Error('This list is not read.');
};

export const promises = {
  'a contract for an account does not compile without permission rules': () => {
    // @ts-expect-error neither `permission` nor `administratorOnly` is given
    endpoint({ ...read, decide });
    // @ts-expect-error neither `permission` nor `administratorOnly` is given with `home`
    endpoint({ ...read, access: 'home', decide });
    // @ts-expect-error neither `permission` nor `administratorOnly` is given for a list
    listing(list, none);
    expectTypeOf<{ access: 'account' }>().not.toExtend<Admission>();
    expectTypeOf<{ orSelf: 'path' }>().not.toExtend<Admission>();
    expectTypeOf<{ administratorOnly: false }>().not.toExtend<Admission>();
  },

  'a contract for an account requires either a permission or an administrator': () => {
    endpoint({ ...read, permission: 'readLeads', decide });
    endpoint({ ...read, access: 'home', administratorOnly: true, decide });
    expectTypeOf<{ permission: 'readLeads'; administratorOnly: true }>().not.toExtend<Admission>();
  },

  'a contract may require several permissions, but not an empty list': () => {
    endpoint({ ...read, permission: ['readLeads', 'readTeams'], decide });
    expectTypeOf<{ permission: readonly ['readLeads'] }>().toExtend<Admission>();
    expectTypeOf<{ permission: readonly [] }>().not.toExtend<Admission>();
  },

  'a contract for an account may let users act on their own data': () => {
    expectTypeOf<{ permission: 'readLeads'; orSelf: 'path' }>().toExtend<Admission>();
    expectTypeOf<{ administratorOnly: true; orSelf: 'path' }>().toExtend<Admission>();
  },

  'a contract without an account cannot require permissions': () => {
    expectTypeOf<{ access: 'public' }>().toExtend<Admission>();
    expectTypeOf<{ access: 'session' }>().toExtend<Admission>();
    expectTypeOf<{ access: 'public'; permission: 'readLeads' }>().not.toExtend<Admission>();
    expectTypeOf<{ access: 'session'; administratorOnly: true }>().not.toExtend<Admission>();
    expectTypeOf<{ access: 'session'; orSelf: 'path' }>().not.toExtend<Admission>();
  },

  'a GET may emit only events about shown data, and cannot write': () => {
    const shows = { ...read, permission: 'readLeads' } as const;
    endpoint({ ...shows, emits: ['application_sensitive_data_revealed'], decide });
    endpoint({ ...shows, method: 'POST', emits: ['lead_created'], writes: true, decide });
    // @ts-expect-error a GET cannot emit an event about a change
    endpoint({ ...shows, emits: ['lead_created'], decide });
    // @ts-expect-error a GET cannot declare writes
    endpoint({ ...shows, writes: true, decide });
  },

  'a public endpoint has no principal, and an endpoint without an account has no account': () => {
    type Given<A extends Access> = Request<{ access: A }>;
    endpoint({
      ...read,
      access: 'public',
      // @ts-expect-error requests to a public endpoint have no principal
      decide: ({ principal }) => ({ response: { id: principal.id } }),
    });
    endpoint({
      ...read,
      access: 'session',
      // @ts-expect-error the request has no account
      decide: ({ account }) => ({ response: { id: Number(account) } }),
    });
    expectTypeOf<Given<'public'>>().not.toHaveProperty('principal');
    expectTypeOf<Given<'public'>>().not.toHaveProperty('account');
    expectTypeOf<Given<'session'>>().toHaveProperty('principal');
    expectTypeOf<Given<'session'>>().not.toHaveProperty('accountRecord');
    expectTypeOf<Given<'home'>>().toExtend<Given<'account'>>();
    expectTypeOf<Given<'account'>>().toHaveProperty('accountRecord');
  },

  'only a contract with `commitsParts` can commit parts': () => {
    const changes = { ...read, method: 'POST', permission: 'writeLeads', writes: true } as const;
    const many = { ...changes, commitsParts: true } as const;
    endpoint({
      ...many,
      decide: async ({ commit, idempotencyKey, rawBody }) => {
        expectTypeOf(idempotencyKey).toEqualTypeOf<string | undefined>();
        expectTypeOf(rawBody).toEqualTypeOf<string>();
        await commit([], [], { deadline: 0 });
        return { response: { id: 1 } };
      },
    });
    endpoint({
      ...changes,
      // @ts-expect-error `commit` requires a contract with `commitsParts`
      decide: async ({ commit }) => ({ response: { id: Number(await commit([], [])) } }),
    });
    expectTypeOf<Request>().not.toHaveProperty('commit');
    expectTypeOf<Request>().not.toHaveProperty('idempotencyKey');
    expectTypeOf<Request>().not.toHaveProperty('rawBody');
  },

  'an endpoint of teams cannot emit an event of lead sources': () => {
    const remove = {
      path: '/teams/{id}',
      permission: 'writeTeams',
      response: Team,
      summary: 'Delete',
    } as const;
    deleteRecord(placedTeams, { ...remove, emits: 'team_deleted' });
    // @ts-expect-error a deletion cannot emit an event of another record type
    deleteRecord(placedTeams, { ...remove, emits: 'lead_source_deleted' });
    const set = { active: true };
    patchRecord(placedTeams, { ...remove, emits: 'team_activated', set });
    // @ts-expect-error a change cannot emit an event of another record type
    patchRecord(placedTeams, { ...remove, emits: 'lead_source_activated', set });
    // @ts-expect-error a change cannot emit the event of a creation
    patchRecord(placedTeams, { ...remove, emits: 'team_created', set });
  },
};
