import { endpoint } from '../../../shared/endpoints/endpoint.ts';
import { integer, object } from '../../../shared/schema.ts';

/** An endpoint that commits one part without changes. */
export default endpoint({
  method: 'POST',
  path: '/parts',
  permission: 'writeLeads',
  commitsParts: true,
  response: object({ parts: integer() }),
  writes: true,
  summary: 'Change in parts',
  async decide({ commit }) {
    await commit([], []);
    return { response: { parts: 1 } };
  },
});
