import { endpoint, type RequestInput } from '../../endpoints/endpoint.ts';
import { reachedRecords } from '../../resources/derived.ts';
import type { ReachedType } from '../../resources/registry.ts';
import type { Static, TSchema } from '../../schema.ts';
import { inParallel } from '../../table/in-parallel.ts';
import { apiKeys } from '../apikeys/store.ts';
import { roles } from '../roles/store.ts';
import { readAllMembers } from '../users/store.ts';
import { explainAccess } from './explain-access.ts';
import { RecordAccess } from './schema.ts';

type Reader = Pick<RequestInput, 'account' | 'requireReach'>;

/** The records of a type, as the paths of their endpoints name them. */
interface Named<P extends TSchema> {
  type: ReachedType;
  /** The path of one record. */
  path: string;
  params: P;
  /** Reads the record. Throws `not_found`, also if the caller does not reach it. */
  read(input: Reader, params: Static<P>): Promise<object>;
}

/** Declares the endpoint that explains who may read or change a record. */
export const accessEndpoint = <P extends TSchema>({ type, path, params: schema, read }: Named<P>) =>
  endpoint({
    method: 'GET',
    path: `${path}/access`,
    permission: [reachedRecords[type].read, 'readUsers'],
    reach: type,
    params: schema,
    response: RecordAccess,
    summary: `Explain who may read or change ${type === 'application' ? 'an' : 'a'} ${type}`,
    description:
      'Lists users and API keys with the reasons for their access, by the rule that applies to each request.',
    read: (input) =>
      inParallel([
        read(input, input.params as Static<P>),
        readAllMembers(input.account),
        apiKeys.all(input.account),
        roles.all(input.account),
      ]),
    decide: ({ now, principal }, [record, members, keys, rolesOfAccount]) => {
      const { users, apiKeys: ofKeys } = explainAccess(type, record, {
        ...{ members, keys, roles: rolesOfAccount, now },
      });
      return {
        response: { users, ...(principal.permissions.has('readApiKeys') && { apiKeys: ofKeys }) },
      };
    },
  });
