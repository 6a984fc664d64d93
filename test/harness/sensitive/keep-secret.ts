import { endpoint } from '../../../shared/endpoints/endpoint.ts';
import { object, string } from '../../../shared/schema.ts';

/** Encrypts a value. Returns the ciphertext and a keyed hash of the value. */
export default endpoint({
  method: 'POST',
  path: '/secrets',
  permission: 'writeLeads',
  sensitive: true,
  body: object({ record: string(), field: string(), plain: string() }),
  response: object({ jwe: string({ maxLength: 10_000 }), blind: string() }),
  writes: true,
  summary: 'Keep a secret',
  async decide({ account, body: { plain, ...place }, dataKeys }) {
    const keys = await dataKeys();
    const response = {
      jwe: await keys.encrypt({ account, ...place }, plain),
      blind: keys.blind('ssn', plain),
    };
    return { response, writes: [], events: [] };
  },
});
