import { endpoint } from '../../../shared/endpoints/endpoint.ts';
import { integer, object } from '../../../shared/schema.ts';

/** Commits a part that changes nothing, and nothing else. */
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
