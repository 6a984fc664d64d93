import { endpoint } from '../../../shared/endpoints/endpoint.ts';
import { object, string } from '../../../shared/schema.ts';

/** Decrypts a value that `keepSecret` encrypted. */
export default endpoint({
  method: 'GET',
  path: '/secrets',
  permission: 'readLeads',
  sensitive: true,
  query: object({ record: string(), field: string(), jwe: string({ maxLength: 10_000 }) }),
  response: object({ plain: string() }),
  summary: 'Read a secret',
  async decide({ account, query: { jwe, ...place }, dataKeys }) {
    const keys = await dataKeys();
    return { response: { plain: await keys.decrypt({ account, ...place }, jwe) } };
  },
});
