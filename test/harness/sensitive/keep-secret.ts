import { endpoint } from '../../../shared/http/endpoint.ts';
import { boolean, object, optional, string } from '../../../shared/schema.ts';

/** Seals a value and compares it with others: what a create does with sensitive fields, and nothing else. */
export default endpoint(
  {
    method: 'POST',
    path: '/secrets',
    permission: 'writeLeads',
    sensitive: true,
    query: object({ dryRun: optional(boolean()) }),
    body: object({ record: string(), field: string(), plain: string() }),
    response: object({ jwe: string({ maxLength: 10_000 }), blind: string() }),
    writes: true,
    summary: 'Keep a secret',
  },
  {
    async once({ account, body: { plain, ...place }, dataKeys }) {
      const keys = await dataKeys();
      return { jwe: await keys.seal({ account, ...place }, plain), blind: keys.blind('ssn', plain) };
    },
    decide: (_request, _loaded, taken) => ({ response: taken, writes: [], events: [] }),
  },
);
